/** A service whose event stream a test writes by hand. */
import type { PorchlightEvent } from "@porchlight/sdk";
import type { Device, PropertyItem } from "@porchlight/shared/api";
import { device } from "../live/samples.fixture.ts";

export class StreamingService {
  devices: readonly Device[] = [device("lamp")];
  /** What each stream was asked for. */
  readonly asked: URL[] = [];
  /** `last-event-id` of each stream. */
  readonly resumed: (string | null)[] = [];
  #write: ((text: string) => void) | undefined;
  #end: (() => void) | undefined;
  #open = Promise.withResolvers<void>();

  /** Waits for the next stream to be open. */
  async opened(): Promise<void> {
    await this.#open.promise;
    this.#open = Promise.withResolvers<void>();
  }

  snapshot(sequence: number, items: readonly PropertyItem[]): void {
    this.#say(`event: snapshot\ndata: ${JSON.stringify({ sequence, items })}\n\n`);
  }

  tell(event: PorchlightEvent): void {
    this.#say(`id: ${event.sequence}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  }

  /** The connection ends. */
  breakOff(): void {
    this.#end?.();
  }

  get fetch() {
    return async (url: string, { headers, signal }: RequestInit): Promise<Response> => {
      const asked = new URL(url);
      if (asked.pathname === "/api/environments") return Response.json({ items: [{ id: "env_1", alias: "home" }] });
      if (asked.pathname.startsWith("/api/environments/")) return Response.json({ id: "env_1", alias: "home" });
      if (asked.pathname === "/api/devices") return Response.json({ items: this.devices });
      if (asked.pathname.startsWith("/api/devices/")) return Response.json(this.devices[0]);
      this.asked.push(asked);
      this.resumed.push(new Headers(headers).get("last-event-id"));
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          this.#write = (text) => controller.enqueue(new TextEncoder().encode(text));
          this.#end = () => controller.close();
          signal?.addEventListener("abort", () => controller.error(signal.reason));
        },
      });
      this.#open.resolve();
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    };
  }

  #say(text: string): void {
    if (!this.#write) throw new Error("nobody listens");
    this.#write(text);
  }
}
