/** What a line tells of the frames that go over it: its own file, so that a line knows nothing of who keeps them. */
import type { BodyDamage, FrameDamage, Message } from "@porchlight/shared/wire";

/** Called on the way of every frame: keeps, and does nothing else. */
export interface FrameTap {
  /** A good message came. @param body without CRC and escapes */
  came(message: Message, body: Uint8Array): void;
  /** Something came that is no message. */
  damaged(reason: FrameDamage | BodyDamage): void;
  /** A request of the hub leaves, or leaves again. @param command the ID of the command that it carries out */
  asked(message: Message, frame: Uint8Array, command: string | undefined): void;
  /** The hub answers a request of the node. */
  answered(message: Message, frame: Uint8Array): void;
}
