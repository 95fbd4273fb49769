/** A byte stream between a hub and a node, on any carrier: serial port, TCP, TLS or memory. */

export interface ByteLink {
  /** Registers the receiver of the bytes and of the end of the line, which is reported once. The owner calls it once, before any write. */
  listen(onBytes: (bytes: Uint8Array) => void, onClosed: (reason: string) => void): void;
  /** Sends bytes; resolves when the last of them has left. Rejects when the line is down. */
  write(bytes: Uint8Array): Promise<void>;
  /** Closes the line. Safe to repeat. */
  close(): void;
}
