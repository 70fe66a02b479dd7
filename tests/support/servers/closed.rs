//! An address at which no server listens, and whose port no other server gets.

use std::fmt;
use std::net::SocketAddr;

use tokio::net::TcpSocket;

/// A socket that is bound and does not listen: connections are refused, and its port stays taken.
/// A released port may become that of another test's server.
pub(crate) struct Closed {
    _socket: TcpSocket,
    pub(crate) address: SocketAddr,
}

impl Closed {
    pub(crate) fn at(address: [u8; 4]) -> Self {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.bind((address, 0).into()).expect("a free port");
        let address = socket.local_addr().expect("bound");
        Self { _socket: socket, address }
    }
}

/// Writes the address with its port.
impl fmt::Display for Closed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.address.fmt(out)
    }
}
