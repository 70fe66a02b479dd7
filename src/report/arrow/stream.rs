//! Writes the streaming format of Arrow.

use arrow_array::RecordBatch;
use arrow_ipc::convert::metadata_to_fb;
use arrow_ipc::writer::{
    DictionaryTracker, EncodedData, IpcDataGenerator, IpcWriteContext, IpcWriteOptions,
    StreamWriter, write_message,
};
use arrow_ipc::{Buffer, FieldNode, MessageArgs, MessageHeader, RecordBatchArgs, root_as_message};
use arrow_schema::{ArrowError, Metadata, SchemaRef};
use flatbuffers::FlatBufferBuilder;

use super::{Closing, Target, VERSION_KEY};

/// The first bytes of a stream: the mark of a message.
const CONTINUATION: [u8; 4] = [0xff; 4];

/// Reports whether `beginning` is the beginning of a stream with our columns.
pub fn is_own(beginning: &[u8]) -> bool {
    beginning.starts_with(&CONTINUATION)
        && memchr::memmem::find(beginning, VERSION_KEY.as_bytes()).is_some()
}

/// A stream in progress.
pub(super) struct Stream(StreamWriter<Vec<u8>>);

impl Stream {
    pub(super) fn begin(schema: &SchemaRef) -> Result<Self, ArrowError> {
        StreamWriter::try_new(Vec::new(), schema).map(Self)
    }
}

impl Target for Stream {
    fn write(&mut self, batch: &RecordBatch) -> Result<(), ArrowError> {
        self.0.write(batch)
    }

    fn close(&mut self, closing: &Closing) -> Result<(), ArrowError> {
        let last = RecordBatch::new_empty(super::fields::schema());
        write_message(self.0.get_mut(), with_metadata(&last, closing)?, &options())?;
        self.0.finish()
    }

    fn drain(&mut self, out: &mut Vec<u8>) {
        out.append(self.0.get_mut());
    }
}

fn options() -> IpcWriteOptions {
    IpcWriteOptions::default()
}

/// Encodes `batch` with metadata of its message, which the writer of the crate cannot do.
fn with_metadata(batch: &RecordBatch, closing: &Closing) -> Result<EncodedData, ArrowError> {
    let (mut dictionaries, mut context) =
        (DictionaryTracker::new(false), IpcWriteContext::default());
    let generator = IpcDataGenerator::default();
    let (_, plain) = generator.encode(batch, &mut dictionaries, &options(), &mut context)?;
    let wrong = |error: &dyn std::fmt::Display| ArrowError::IpcError(error.to_string());
    let message = root_as_message(&plain.ipc_message).map_err(|error| wrong(&error))?;
    let header = message.header_as_record_batch().ok_or_else(|| wrong(&"expected a batch"))?;
    let nodes: Vec<FieldNode> = header.nodes().into_iter().flatten().copied().collect();
    let buffers: Vec<Buffer> = header.buffers().into_iter().flatten().copied().collect();
    let mut builder = FlatBufferBuilder::new();
    let (nodes, buffers) = (builder.create_vector(&nodes), builder.create_vector(&buffers));
    let args = RecordBatchArgs {
        length: header.length(),
        nodes: Some(nodes),
        buffers: Some(buffers),
        ..RecordBatchArgs::default()
    };
    let header = arrow_ipc::RecordBatch::create(&mut builder, &args).as_union_value();
    let mut metadata = Metadata::new();
    for (key, value) in closing {
        metadata.insert(*key, value.clone());
    }
    let metadata = metadata_to_fb(&mut builder, &metadata);
    let args = MessageArgs {
        version: message.version(),
        header_type: MessageHeader::RecordBatch,
        header: Some(header),
        bodyLength: message.bodyLength(),
        custom_metadata: Some(metadata),
    };
    let whole = arrow_ipc::Message::create(&mut builder, &args);
    builder.finish(whole, None);
    Ok(EncodedData { ipc_message: builder.finished_data().to_vec(), arrow_data: plain.arrow_data })
}
