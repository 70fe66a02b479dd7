project = "notes"
html_static_path = ["_static"]
html_extra_path = ["extra"]
html_additional_pages = {"start": "start.html"}
html_logo = "logo.png"  # drawn by hand
