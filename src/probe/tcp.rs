//! The one way to a stranger: a name looked up once, addresses that the guard let pass, a
//! connection within its time.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::time::timeout;

use super::Failure;
use super::guard::{Guard, Host};
use crate::finding::Class;

/// How long each step may take. Absolute times: a server cannot stretch them by dripping.
#[derive(Clone, Copy, Debug)]
pub struct Timeouts {
    /// For a connection, names included.
    pub connect: Duration,
    /// For the handshake of TLS.
    pub tls: Duration,
    /// For all of one question.
    pub total: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            tls: Duration::from_secs(10),
            total: Duration::from_secs(30),
        }
    }
}

/// What probes need of the world.
pub struct Net {
    /// What may be connected to.
    pub guard: Guard,
    /// How long it may take.
    pub timeouts: Timeouts,
    /// What we call ourselves, with an address where people reach us.
    pub agent: String,
}

/// A connection, and whom it is with.
#[derive(Debug)]
pub struct Connection {
    /// Both directions.
    pub stream: TcpStream,
    /// The address that answered.
    pub address: IpAddr,
}

impl Net {
    /// Connects to `host` for a link of `scheme`.
    ///
    /// # Errors
    /// When the guard does not let it pass, the name is not found, or nobody answers.
    pub async fn connect(
        &self,
        scheme: &str,
        host: &Host,
        port: u16,
    ) -> Result<Connection, Failure> {
        let Host::Address(address) = host else {
            return Err(Failure::new(Class::DnsFailure, "names are not looked up"));
        };
        let socket = SocketAddr::new(*address, port);
        self.guard.check(scheme, socket)?;
        let connected = timeout(self.timeouts.connect, TcpStream::connect(socket)).await;
        let stream = connected
            .map_err(|_| Failure::new(Class::Timeout, "no connection in time"))?
            .map_err(|error| Failure::new(Class::Refused, error.to_string()))?;
        Ok(Connection { stream, address: *address })
    }
}
