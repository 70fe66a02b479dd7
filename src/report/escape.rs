//! Escaping.
