/** Tells the hub how the bridge is paired: a request of the hub's alone, which the public client does not have. */
import { type Clock, deadline, type Log, type Timer } from "@porchlight/shared/kernel";

/** How long it may take, ms. */
const TRY_MS = 10_000;

export interface HubPlace {
  readonly url: string;
  readonly token: string;
}

/** @throws Error when the hub does not take it, or does not answer */
export async function tellHub(
  { url, token }: HubPlace,
  { controllers, devices, ...info }: PairingInfo & { readonly devices: number },
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  const limit = deadline(clock, "how the bridge is paired is told", TRY_MS, { signal });
  try {
    const response = await fetch(`${url.replace(/\/+$/, "")}/api/matter-bridge`, {
      method: "PUT",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ ...info, devices, controllers }),
      signal: limit.signal,
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`the hub answers ${response.status}`);
  } finally {
    limit.end();
  }
}

/**
 * Tells the hub how the bridge is paired, again and again, for it keeps nothing of it: `porchlight-agent matter` and the portal show what
 * was told last, and nothing once the bridge tells no more.
 */
interface PairingReportDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly tell: (info: PairingInfo & { readonly devices: number }) => Promise<void>;
}

/** The hub forgets what it was told after three times as long, ms. */
const EVERY_MS = 30_000;

export class PairingReport implements Disposable {
  readonly #deps: PairingReportDeps;
  #timer: Timer | undefined;
  #now: (PairingInfo & { readonly devices: number }) | undefined;
  #isTelling = false;
  #isEnded = false;

  constructor(deps: PairingReportDeps) {
    this.#deps = deps;
  }

  /** What is to be told from now on. */
  is(info: PairingInfo & { readonly devices: number }): void {
    this.#now = info;
    void this.#tell();
  }

  [Symbol.dispose](): void {
    this.#isEnded = true;
    this.#timer?.cancel();
  }

  async #tell(): Promise<void> {
    if (this.#isTelling || this.#isEnded || !this.#now) return;
    this.#isTelling = true;
    const told = this.#now;
    try {
      await this.#deps.tell(told);
    } catch (failure) {
      this.#deps.log.debug({ failure: String(failure) }, "the hub was not told how the bridge is paired");
    }
    this.#isTelling = false;
    if (this.#isEnded) return;
    if (this.#now !== told) return await this.#tell();
    this.#timer?.cancel();
    this.#timer = this.#deps.clock.timer("how the bridge is paired", EVERY_MS, () => void this.#tell());
  }
}

/** How a controller is paired with the bridge, and which are: what people are shown of it. */

interface PairedController {
  /** Its vendor's number: 4937 is Apple, 24582 Google. */
  readonly vendorId: number;
  /** What it calls its home. */
  readonly label: string;
}

/** `waiting`: the codes pair the first controller; `paired`: a controller shares it with the next. */
export type PairingInfo =
  | {
      readonly state: "waiting";
      /** The text of the QR code, `MT:…`. */
      readonly qrCode: string;
      /** Eleven digits. */
      readonly manualCode: string;
      readonly controllers: readonly PairedController[];
    }
  | { readonly state: "paired"; readonly controllers: readonly PairedController[] };
