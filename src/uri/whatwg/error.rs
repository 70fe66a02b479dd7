//! The validation errors of the URL Standard (§1.1), under the standard's names.
//!
//! One more error is missing, since parsing never reports it: `domain-to-Unicode`.
//! `application/x-www-form-urlencoded` defines no errors.

use std::fmt;

/// One row for each validation error: the variant, the standard's name, and a one-line message.
macro_rules! validation_errors {
    ($($variant:ident $name:literal $words:literal)*) => {
        /// A validation error of the URL Standard.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum ValidationError {
            $(#[doc = $words] $variant,)*
        }

        impl ValidationError {
            /// Returns the standard's name.
            pub(crate) const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// Returns a one-line message.
            pub(crate) const fn words(self) -> &'static str {
                match self {
                    $(Self::$variant => $words,)*
                }
            }
        }
    };
}

validation_errors! {
    // §1.1, IDNA.
    DomainToAscii "domain-to-ASCII" "invalid international domain name"
    // §1.1, host parsing.
    DomainInvalidCodePoint "domain-invalid-code-point" "invalid domain character"
    HostInvalidCodePoint "host-invalid-code-point" "invalid host character"
    Ipv4EmptyPart "IPv4-empty-part" "an IPv4 address ends with a dot"
    Ipv4TooManyParts "IPv4-too-many-parts" "an IPv4 address has at most four parts"
    Ipv4NonNumericPart "IPv4-non-numeric-part" "a part of an IPv4 address is no number"
    Ipv4NonDecimalPart "IPv4-non-decimal-part" "a part of an IPv4 address is not decimal"
    Ipv4OutOfRangePart "IPv4-out-of-range-part" "a part of an IPv4 address is above 255"
    Ipv6Unclosed "IPv6-unclosed" "an IPv6 address ends with a bracket"
    Ipv6InvalidCompression "IPv6-invalid-compression" "an IPv6 address begins with one colon"
    Ipv6TooManyPieces "IPv6-too-many-pieces" "an IPv6 address has eight pieces, not more"
    Ipv6MultipleCompression "IPv6-multiple-compression" "an IPv6 address has :: once"
    Ipv6InvalidCodePoint "IPv6-invalid-code-point" "invalid IPv6 address character"
    Ipv6TooFewPieces "IPv6-too-few-pieces" "an IPv6 address has eight pieces, not fewer"
    Ipv4InIpv6TooManyPieces "IPv4-in-IPv6-too-many-pieces"
        "no room for the IPv4 address in an IPv6 address"
    Ipv4InIpv6InvalidCodePoint "IPv4-in-IPv6-invalid-code-point"
        "invalid character in the IPv4 address of an IPv6 address"
    Ipv4InIpv6OutOfRangePart "IPv4-in-IPv6-out-of-range-part"
        "a part of the IPv4 address of an IPv6 address is above 255"
    Ipv4InIpv6TooFewParts "IPv4-in-IPv6-too-few-parts"
        "the IPv4 address of an IPv6 address has four parts"
    // §1.1, URL parsing.
    InvalidUrlUnit "invalid-URL-unit" "a character that is no unit of a URL"
    SpecialSchemeMissingFollowingSolidus "special-scheme-missing-following-solidus"
        "two slashes follow the scheme, no more and no fewer"
    MissingSchemeNonRelativeUrl "missing-scheme-non-relative-URL" "relative URL without a base"
    InvalidReverseSolidus "invalid-reverse-solidus" "a backslash for a slash"
    InvalidCredentials "invalid-credentials" "a user or a password"
    HostMissing "host-missing" "empty host"
    PortOutOfRange "port-out-of-range" "a port above 65535"
    PortInvalid "port-invalid" "invalid port number"
    FileInvalidWindowsDriveLetter "file-invalid-Windows-drive-letter"
        "a drive letter without a slash before it"
    FileInvalidWindowsDriveLetterHost "file-invalid-Windows-drive-letter-host"
        "a drive letter where a host belongs"
}

impl ValidationError {
    /// Reports whether an IPv6 address is at fault, or an IPv4 address in one.
    pub(crate) const fn is_of_ipv6(self) -> bool {
        matches!(
            self,
            Self::Ipv6Unclosed
                | Self::Ipv6InvalidCompression
                | Self::Ipv6TooManyPieces
                | Self::Ipv6MultipleCompression
                | Self::Ipv6InvalidCodePoint
                | Self::Ipv6TooFewPieces
                | Self::Ipv4InIpv6TooManyPieces
                | Self::Ipv4InIpv6InvalidCodePoint
                | Self::Ipv4InIpv6OutOfRangePart
                | Self::Ipv4InIpv6TooFewParts
        )
    }
}

/// A validation error and the byte offset at which it occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Flaw {
    /// The error.
    pub(crate) error: ValidationError,
    /// Offset of the offending character; the text's length when something is missing at the end.
    pub(crate) at: usize,
}

impl Flaw {
    pub(super) const fn new(error: ValidationError, at: usize) -> Self {
        Self { error, at }
    }

    /// Moves the flaw from a part to the whole text, in which the part begins at `start`.
    pub(super) const fn moved(self, start: usize) -> Self {
        Self { at: self.at + start, ..self }
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.error.words())
    }
}

/// Flaws that do not end parsing, collected only where the caller wants them.
#[derive(Debug, Default)]
pub(super) struct Notes {
    is_wanted: bool,
    flaws: Vec<Flaw>,
}

impl Notes {
    /// Returns notes that collect flaws.
    pub(super) const fn wanted() -> Self {
        Self { is_wanted: true, flaws: Vec::new() }
    }

    /// Reports whether flaws are collected: finding some of them takes a second look.
    pub(super) const fn are_wanted(&self) -> bool {
        self.is_wanted
    }

    pub(super) fn add(&mut self, error: ValidationError, at: usize) {
        if self.is_wanted {
            self.flaws.push(Flaw::new(error, at));
        }
    }

    /// Returns the flaws in the order of their offsets.
    pub(super) fn in_order(mut self) -> Vec<Flaw> {
        self.flaws.sort_by_key(|flaw| flaw.at);
        self.flaws
    }
}
