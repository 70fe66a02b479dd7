//! Prints the links of a mailbox.

fn main() -> Result<(), linktrawl::Error> {
    let path = std::env::args_os().nth(1).unwrap_or_default();
    for finding in linktrawl::Extractor::new().path(path)? {
        let finding = finding?;
        println!("{} {}", finding.place(), finding.uri());
    }
    Ok(())
}
