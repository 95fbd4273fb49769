/** The service's own TLS: certificate and key, from two files that are read again after they change, as at renewals. */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import { createSecureContext, Server as TlsServer } from "node:tls";
import { type Clock, every, type Log, type Timer } from "@porchlight/shared/kernel";

/** Interval between checks of the files, ms. */
const LOOK_MS = 10_000;

/** The two files of a certificate and its key. */
export interface TlsFiles {
  /** PEM: the certificate, then the intermediate ones up to the one that clients trust. */
  readonly cert: string;
  /** PEM, without a passphrase. */
  readonly key: string;
}

/** The contents of the files. */
export interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

/** The files cannot be used; the message states which, and why. */
export class TlsBroken extends Error {}

/** @throws TlsBroken unless both are readable and belong together */
export function readTls(files: TlsFiles): TlsPair {
  const pair = { cert: read("certificate", files.cert), key: read("key", files.key) };
  try {
    new X509Certificate(pair.cert);
    createPrivateKey(pair.key);
    // Rejects a key of another certificate, but accepts an empty file.
    createSecureContext(pair);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.replaceAll(/\s+/g, " ") : String(cause);
    throw new TlsBroken(
      `The TLS certificate ${files.cert} and the key ${files.key} are no pair of PEM files that belong together (${why}).`,
      { cause },
    );
  }
  return pair;
}

export interface TlsKeeperDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly files: TlsFiles;
  /** The pair that the server started with. */
  readonly pair: TlsPair;
}

/** Reloads the files of a server: new connections use the new certificate, open ones continue. */
export class TlsKeeper implements Disposable {
  readonly #deps: TlsKeeperDeps;
  readonly #server: TlsServer;
  readonly #timer: Timer;
  #pair: TlsPair;
  /** Why the last check could not use the files, and whether that has been logged. */
  #broken: { readonly why: string; readonly isReported: boolean } | undefined;

  private constructor(server: TlsServer, deps: TlsKeeperDeps) {
    this.#deps = deps;
    this.#server = server;
    this.#pair = deps.pair;
    this.#say();
    this.#timer = every(deps.clock, "TLS files", LOOK_MS, () => this.#look());
  }

  /** @throws Error when the server has no TLS */
  static start(server: Server, deps: TlsKeeperDeps): TlsKeeper {
    if (!(server instanceof TlsServer)) throw new Error("the server has no TLS");
    return new TlsKeeper(server, deps);
  }

  /** When the certificate in use expires, ms since 1970. */
  get expiresAt(): number {
    return new X509Certificate(this.#pair.cert).validToDate.getTime();
  }

  [Symbol.dispose](): void {
    this.#timer.cancel();
  }

  #look(): void {
    let pair: TlsPair;
    try {
      pair = readTls(this.#deps.files);
    } catch (error) {
      this.#complain(error);
      return;
    }
    this.#broken = undefined;
    if (pair.cert === this.#pair.cert && pair.key === this.#pair.key) return;
    this.#server.setSecureContext({ ...pair, ...TLS_OPTIONS });
    this.#pair = pair;
    this.#say();
  }

  /** Logs only what two checks in a row find: between them a renewal may have written only one of the two files. */
  #complain(error: unknown): void {
    const why = String(error);
    const isSame = this.#broken?.why === why;
    if (isSame && !this.#broken?.isReported)
      this.#deps.log.error({ error }, "the TLS certificate could not be reloaded; the previous one stays in use");
    this.#broken = { why, isReported: isSame };
  }

  #say(): void {
    const { clock, log, files } = this.#deps;
    const { validTo, validToDate } = new X509Certificate(this.#pair.cert);
    const about = { certificate: files.cert, validTo };
    if (validToDate.getTime() > clock.now()) log.info(about, "the TLS certificate is in use");
    else log.error(about, "the TLS certificate has expired: clients will refuse it");
  }
}

/** Stated here, so that neither Node's default nor an option of the process can lower it. */
export const TLS_OPTIONS = { minVersion: "TLSv1.2" } as const;

function read(what: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    const why = cause instanceof Error && "code" in cause ? cause.code : cause;
    throw new TlsBroken(`The TLS ${what} ${path} cannot be read (${why}).`, { cause });
  }
}
