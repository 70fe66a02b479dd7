project = "paper"
