# Settings of a program that makes pages; what %s stands for is filled in later.
extlinks = {"issue": ("https://host.example/issues/%s", "issue %s")}
