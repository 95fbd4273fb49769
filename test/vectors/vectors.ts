/** Reads the hand-made vectors, the only truth that a codec cannot agree with by its own mistakes. */
import { readFileSync } from "node:fs";
import type { Value } from "@porchlight/shared/model";
import type { Body, CborDamage, FrameDamage, Message } from "@porchlight/shared/wire";

export interface MessageVector {
  readonly name: string;
  readonly message: Message;
  readonly body: string;
  readonly crc: string;
  readonly frame: string;
  /** A form that receivers take and senders do not make. */
  readonly decodeOnly?: true;
}

export interface BodyVector {
  readonly name: string;
  readonly body: string;
  readonly expect: Body;
}

export interface CborVector {
  readonly name: string;
  readonly hex: string;
  readonly value?: Value;
  readonly damage?: CborDamage;
  /** The very bytes that a sender makes of the value. */
  readonly canonical?: true;
}

export interface StreamVector {
  readonly name: string;
  readonly limit: number;
  readonly stream: string;
  readonly events: readonly ({ readonly frame: string } | { readonly damage: FrameDamage })[];
}

interface VectorFiles {
  readonly messages: readonly MessageVector[];
  readonly bodies: readonly BodyVector[];
  readonly cbor: readonly CborVector[];
  readonly streams: readonly StreamVector[];
}

/** The vectors of one file. */
export function vectors<K extends keyof VectorFiles>(file: K): VectorFiles[K] {
  return JSON.parse(readFileSync(new URL(`${file}.json`, import.meta.url), "utf8")) as VectorFiles[K];
}

/** `C0 82 0B` as bytes. */
export function bytes(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex.replaceAll(" ", ""), "hex"));
}

/** Bytes as `C0 82 0B`. */
export function hex(given: Uint8Array): string {
  return [...given].map((byte) => byte.toString(16).padStart(2, "0").toUpperCase()).join(" ");
}
