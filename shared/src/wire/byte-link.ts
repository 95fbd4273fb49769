/** A line of bytes between a hub and a node, on any carrier: serial port, TCP, TLS or memory. */

export interface ByteLink {
  /** Names who gets what arrives and who is told, once, that the line is down. Called once, by the line's owner, before any write. */
  listen(onBytes: (bytes: Uint8Array) => void, onClosed: (reason: string) => void): void;
  /** Sends bytes; settles when the last of them has left. Rejects when the line is down. */
  write(bytes: Uint8Array): Promise<void>;
  /** Takes the line down. Safe to repeat. */
  close(): void;
}
