/**
 * The hub's identity: `identity.key` holds its Ed25519 key and its edgeId, created together at the first start and never changed.
 * One file, because the cloud binds a client to both at once, and half an identity is useless.
 */
import { createHash, createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { type NetworkInterfaceInfo, networkInterfaces } from "node:os";
import { dirname, join } from "node:path";
import type { Random } from "@porchlight/shared/kernel";
import { isEdgeId } from "@porchlight/shared/model";

export interface Identity {
  readonly edgeId: string;
  /** Ed25519 public key, base64 of its SPKI DER. */
  readonly publicKey: string;
  /** Fingerprint of the public key, for people to compare: in the form of OpenSSH, over the SPKI DER. */
  readonly fingerprint: string;
  /** Signs bytes with Ed25519; returns the signature in base64. */
  sign(bytes: Uint8Array): string;
  /** Derives 32 bytes for one purpose; they stay the same as long as the hub has its key. */
  keyFor(purpose: string): Uint8Array;
}

/** The file exists and holds no valid identity, or the requested edgeId differs from the one in it. */
export class IdentityUnusable extends Error {}

interface IdentityDeps {
  readonly random: Random;
  /** The edgeId that the operator configured: counts at the first start only. */
  readonly edgeId?: string | undefined;
  /** The edgeId of the hardware, when it has one. */
  readonly hardware: () => string | undefined;
}

/** PKCS #8 of an Ed25519 private key, up to its 32 bytes (RFC 8410, section 7). */
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");

/**
 * Reads the identity, or creates it at the first start.
 * @throws IdentityUnusable; a damaged file is never replaced, since the cloud knows this hub by it
 */
export function openIdentity(path: string, { random, edgeId, hardware }: IdentityDeps): Identity {
  if (!existsSync(path)) {
    const made = edgeId ?? hardware() ?? madeEdgeId(random);
    const key = Buffer.concat([PKCS8_HEAD, random.bytes(32)]).toString("base64");
    writePrivateFile(path, `edge-id: ${made}\n-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----\n`);
  }
  const identity = parseIdentity(readFileSync(path, "utf8"), path);
  if (edgeId !== undefined && edgeId !== identity.edgeId) {
    throw new IdentityUnusable(
      `this hub has had the edgeId ${identity.edgeId} since its first start: remove --edge-id`,
    );
  }
  return identity;
}

/** Extracts the edgeId from the text of an identity file; undefined when it has none. */
export function readEdgeId(text: string): string | undefined {
  const edgeId = /^edge-id: (\S+)$/m.exec(text)?.[1];
  return edgeId !== undefined && isEdgeId(edgeId) ? edgeId : undefined;
}

function parseIdentity(text: string, path: string): Identity {
  const edgeId = readEdgeId(text);
  const key = privateKey(text.slice(text.indexOf("-----BEGIN")));
  if (edgeId === undefined || key?.asymmetricKeyType !== "ed25519") {
    throw new IdentityUnusable(`${path} is damaged: restore a copy, or remove it and pair the hub again`);
  }
  const publicKey = createPublicKey(key).export({ format: "der", type: "spki" });
  const digest = createHash("sha256").update(publicKey).digest("base64");
  return {
    edgeId,
    publicKey: publicKey.toString("base64"),
    fingerprint: `SHA256:${digest.replace(/=+$/, "")}`,
    sign: (bytes) => sign(null, bytes, key).toString("base64"),
    keyFor: (purpose) => {
      const secret = key.export({ format: "der", type: "pkcs8" });
      return new Uint8Array(hkdfSync("sha256", secret, "", `porchlight ${purpose}`, 32));
    },
  };
}

function privateKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    // The caller reports the error, without quoting the file.
    return undefined;
  }
}

/** The edgeId of a hub without a configured one: the address of its first physical network card. */
export function hardwareEdgeId(
  interfaces: Readonly<Record<string, NetworkInterfaceInfo[] | undefined>>,
): string | undefined {
  for (const addresses of Object.values(interfaces)) {
    for (const { internal, mac } of addresses ?? []) {
      if (!internal && /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/i.test(mac) && !/^(00|ff)(:\1){5}$/i.test(mac)) {
        return mac.replaceAll(":", "-").toUpperCase();
      }
    }
  }
  return undefined;
}

/** A random EUI-48 with the locally administered bit set and the multicast bit clear. */
export function madeEdgeId(random: Random): string {
  const bytes = random.bytes(6);
  const pairs = Array.from(bytes, (byte, place) => (place === 0 ? (byte & 0xfc) | 0x02 : byte));
  return pairs.map((byte) => byte.toString(16).padStart(2, "0").toUpperCase()).join("-");
}

/** The token file cannot be read, or holds no token. */
export class TokenUnusable extends Error {}

/** Stores the hub's client token: the agent reads it, pairing writes it, and no output shows it. */
export interface TokenStore {
  /** Undefined when there is none: the hub is not paired. @throws TokenUnusable */
  read(): string | undefined;
  /** Replaces the token atomically. @throws SystemError */
  write(token: string): void;
  /** @throws SystemError */
  remove(): void;
}

/**
 * Stores the token in a file.
 * @param named path that the operator configured, whose folder must exist; otherwise the file is in the data folder
 */
export function tokenFile({
  data,
  tokenFile: named,
}: {
  readonly data: string;
  readonly tokenFile?: string | undefined;
}): TokenStore {
  const path = named ?? join(data, "token");
  return {
    read: () => readToken(path, named !== undefined),
    write: (token) => writePrivateFile(path, `${token}\n`),
    remove: () => rmSync(path, { force: true }),
  };
}

function readToken(path: string, isNamed: boolean): string | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8").trim();
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    if (code === "ENOENT" && (!isNamed || existsSync(dirname(path)))) return undefined;
    throw new TokenUnusable(`the token file ${path} cannot be read (${code})`, { cause });
  }
  if (!/^[\x21-\x7e]{1,512}$/.test(text)) throw new TokenUnusable(`the token file ${path} contains no token`);
  return text;
}

/** Writes a file that only its owner may read, atomically. @throws SystemError of the file system */
export function writePrivateFile(path: string, text: string): void {
  const fresh = `${path}.new`;
  const file = openSync(fresh, "w", 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(fresh, path);
}

/**
 * Opens the folder, or creates it.
 * @param edgeId configured by the operator: counts at the first start only
 * @throws IdentityUnusable, SystemError of the file system
 */
export function openHub(dataDir: string, random: Random, edgeId?: string): Identity {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const hardware = () => hardwareEdgeId(networkInterfaces());
  return openIdentity(join(dataDir, "identity.key"), { random, edgeId, hardware });
}
