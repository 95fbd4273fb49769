/** Reports the bridge's pairing state to the hub, by a request that only the hub has and the public client lacks. */
import { type Clock, deadline, type Log, type Timer } from "@porchlight/shared/kernel";

/** Timeout of a report, ms. */
const TRY_MS = 10_000;

export interface HubPlace {
  readonly url: string;
  readonly token: string;
}

/** @throws Error when the hub rejects the report or does not answer */
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
 * Repeats the report regularly, because the hub does not store it: `porchlight-agent matter` and the portal show the last report, and
 * nothing once reports stop.
 */
interface PairingReportDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly tell: (info: PairingInfo & { readonly devices: number }) => Promise<void>;
}

/** Interval of reports, ms; the hub drops a report after three intervals. */
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

  /** Sets the state to report from now on, and reports it at once. */
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
    const reported = this.#now;
    try {
      await this.#deps.tell(reported);
    } catch (failure) {
      this.#deps.log.debug({ failure: String(failure) }, "the hub was not told how the bridge is paired");
    }
    this.#isTelling = false;
    if (this.#isEnded) return;
    if (this.#now !== reported) return await this.#tell();
    this.#timer?.cancel();
    this.#timer = this.#deps.clock.timer("how the bridge is paired", EVERY_MS, () => void this.#tell());
  }
}

/** Pairing state of the bridge and its paired controllers, as shown to people. */

interface PairedController {
  /** Vendor ID of the controller: 4937 is Apple, 24582 Google. */
  readonly vendorId: number;
  /** The controller's name for its home. */
  readonly label: string;
}

/** `waiting`: the codes pair the first controller; `paired`: a controller must share the bridge with further ones. */
export type PairingInfo =
  | {
      readonly state: "waiting";
      /** Text of the QR code, `MT:…`. */
      readonly qrCode: string;
      /** Eleven digits. */
      readonly manualCode: string;
      readonly controllers: readonly PairedController[];
    }
  | { readonly state: "paired"; readonly controllers: readonly PairedController[] };
