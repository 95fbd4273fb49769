/** The export of an account: start it, poll it, and download the archive, across any number of broken connections. */
import type { AccountExport } from "@porchlight/shared/api";
import { Backoff, sleep } from "@porchlight/shared/kernel";
import { errorOf, isPorchlightError, PorchlightError } from "../errors.ts";
import { BACKOFF, bytesOf, type CallOptions, mayRepeat, Silence, type Transport } from "../transport.ts";

const PATH = "/api/account/export";

/** Progress of a download. */
interface Progress {
  /** Number of bytes returned so far. */
  bytes: number;
  /** Entity tag of the archive whose download has begun. */
  tag: string | undefined;
}

export class AccountExports {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The last export: its `state` is `none` when there is none. @throws PorchlightError */
  async get(options?: CallOptions): Promise<AccountExport> {
    return this.#transport.get<AccountExport>(PATH, options);
  }

  /** Starts an export, or returns the running one. @throws PorchlightError, "Password Incorrect" */
  async start(currentPassword: string, options?: CallOptions): Promise<AccountExport> {
    return this.#transport.post<AccountExport>(PATH, { currentPassword }, options);
  }

  /**
   * The bytes of the archive, a zip file. After a broken connection the download resumes where it broke.
   * @param options `timeoutMs` is the longest silence
   * @throws PorchlightError, "Export Not Found" when there is no export, or another one has replaced it
   */
  async *download(options: CallOptions = {}): AsyncGenerator<Uint8Array, void, undefined> {
    const { clock, random, retries: usual } = this.#transport.settings;
    const { signal, retries = usual } = options;
    const progress: Progress = { bytes: 0, tag: undefined };
    const backoff = new Backoff(BACKOFF, random);
    for (let left = retries; ; left -= 1) {
      const before = progress.bytes;
      try {
        for await (const bytes of this.#part(progress, options)) {
          progress.bytes += bytes.length;
          yield bytes;
        }
        return;
      } catch (failure) {
        if (progress.bytes > before) left = retries;
        if (!isPorchlightError(failure) || left === 0 || !mayRepeat("read", failure)) throw failure;
        await sleep(clock, "retry", backoff.next(0, (failure.retryAfter ?? 0) * 1000), signal);
      }
    }
  }

  /** The bytes of one connection. @throws PorchlightError; the signal's reason when the caller aborts it */
  async *#part(progress: Progress, { signal, timeoutMs }: CallOptions): AsyncGenerator<Uint8Array, void, undefined> {
    const { fetch, clock, timeoutMs: usual } = this.#transport.settings;
    signal?.throwIfAborted();
    const { bytes: from, tag } = progress;
    const silence = new Silence(clock, timeoutMs ?? usual, signal);
    try {
      const ranged = from > 0 && tag !== undefined && { range: `bytes=${from}-`, "if-range": tag };
      const response = await fetch(this.#transport.url(`${PATH}/archive`), {
        method: "GET",
        headers: { ...this.#transport.headers, ...ranged },
        signal: silence.signal,
      });
      if (!response.ok || !response.body) throw errorOf(response, await response.text());
      if (from > 0 && response.status !== 206)
        throw new PorchlightError("Export Not Found", "Another archive has taken the place of this one.", {
          status: 404,
        });
      progress.tag = response.headers.get("etag") ?? undefined;
      const length = Number(response.headers.get("content-length"));
      let came = 0;
      for await (const bytes of bytesOf(response.body)) {
        silence.broken();
        came += bytes.length;
        yield bytes;
      }
      if (came < length) throw new Error(`${came} of ${length} bytes have come`);
    } catch (cause) {
      signal?.throwIfAborted();
      if (cause instanceof PorchlightError) throw cause;
      if (silence.signal.aborted) throw new PorchlightError("Timed Out", "Nothing has come for too long.", { cause });
      throw new PorchlightError("Connection Failed", "The connection broke.", { cause });
    } finally {
      silence.end();
    }
  }
}
