/** Encryption of a connection: Noise_NNpsk0_25519_ChaChaPoly_SHA256 by esphome-client, and ESPHome's own frames around its handshake. */
import type { ByteLink } from "@porchlight/shared/wire";
import { type CipherState, createESPHomeHandshake, type HandshakeState, NoiseHandshakeError } from "esphome-client";
import { type ApiMessage, NoiseFrames, noiseFrame, notThisProtocol, WireProblem } from "./frames.ts";

/** What a device sends before it has seen a key; not authenticated. */
interface ServerHello {
  readonly name?: string | undefined;
  readonly mac?: string | undefined;
}

const NO_BYTES = Buffer.alloc(0);
const SUCCESS = 0;
const LONGEST_NAME = 64;
const OF_KEY: ReadonlySet<string> = new Set(["AUTH_FAILED", "INVALID_REMOTE_KEY"]);
/** A device's answer to a wrong key. */
const MAC_FAILURE = /mac failure/i;

/** The hub's first frame, which is empty. */
export const CLIENT_HELLO = noiseFrame();

/** @throws WireProblem */
export function serverHello(frame: Buffer): ServerHello {
  if (frame[0] !== 1) throw notThisProtocol();
  const [name, mac] = frame
    .subarray(1, 1 + 2 * LONGEST_NAME)
    .toString("utf8")
    .split("\0");
  return { name: name === "" ? undefined : name, mac: mac && /^[0-9a-f]{12}$/i.test(mac) ? mac : undefined };
}

export class NoiseClient {
  readonly #handshake: HandshakeState;
  #send: CipherState | undefined;
  #receive: CipherState | undefined;

  /** @param key 32 bytes */
  constructor(key: Buffer) {
    this.#handshake = createESPHomeHandshake({ psk: Buffer.from(key), role: "initiator" });
  }

  /** The frame that proves that the hub has the key. */
  proof(): Buffer {
    return noiseFrame(Buffer.from([SUCCESS]), this.#handshake.writeMessage());
  }

  /** Completes the handshake with the device's answer. @throws WireProblem */
  finish(frame: Buffer): void {
    if (frame[0] !== SUCCESS) throw refusal(frame.subarray(1).toString("latin1").slice(0, 80));
    try {
      this.#handshake.readMessage(frame.subarray(1));
    } catch (failure) {
      const isOfKey = failure instanceof NoiseHandshakeError && OF_KEY.has(failure.code);
      throw isOfKey ? wrongKey() : notThisProtocol();
    }
    this.#send = this.#handshake.sendCipher;
    this.#receive = this.#handshake.receiveCipher;
  }

  /** @throws Error before the handshake is done */
  seal({ type, body }: ApiMessage): Buffer {
    const plain = Buffer.alloc(4 + body.length);
    plain.writeUInt16BE(type, 0);
    plain.writeUInt16BE(body.length, 2);
    body.copy(plain, 4);
    if (!this.#send) throw new Error("nothing is encrypted before the handshake");
    return noiseFrame(this.#send.EncryptWithAd(NO_BYTES, plain));
  }

  /** @throws WireProblem */
  open(frame: Buffer): ApiMessage {
    const plain = this.#decrypted(frame);
    if (plain.length < 4 || plain.length < 4 + plain.readUInt16BE(2)) throw notThisProtocol();
    return { type: plain.readUInt16BE(0), body: plain.subarray(4, 4 + plain.readUInt16BE(2)) };
  }

  /** Wipes all keys. */
  [Symbol.dispose](): void {
    this.#handshake.destroy();
  }

  #decrypted(frame: Buffer): Buffer {
    try {
      if (this.#receive) return this.#receive.DecryptWithAd(NO_BYTES, frame);
    } catch {
      // The error below replaces this one, which has no further detail.
    }
    throw new WireProblem("bad_bytes", "What it sends cannot be decrypted.");
  }
}

function refusal(words: string): WireProblem {
  if (MAC_FAILURE.test(words)) return wrongKey();
  return new WireProblem("closed", `It refuses to encrypt (${words.replace(/[^ -~]/g, "?")}).`);
}

function wrongKey(): WireProblem {
  return new WireProblem("wrong_key", "Its encryption key is not the one that the hub has.");
}

/** Always closes the link. @throws WireProblem, the signal's reason */
export async function askIntroduction(link: ByteLink, signal: AbortSignal): Promise<ServerHello> {
  const stated = Promise.withResolvers<ServerHello>();
  const frames = new NoiseFrames();
  const stop = () => stated.reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    if (signal.aborted) stop();
    link.listen(
      (bytes) => {
        try {
          const [frame] = frames.push(Buffer.from(bytes));
          if (frame) stated.resolve(serverHello(frame));
        } catch (failure) {
          stated.reject(failure);
        }
      },
      () => stated.reject(new WireProblem("closed", "It has not said its name.")),
    );
    link.write(CLIENT_HELLO).catch(() => undefined);
    return await stated.promise;
  } finally {
    signal.removeEventListener("abort", stop);
    link.close();
  }
}
