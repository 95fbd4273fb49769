/** Devices of another protocol, each a fake behind a real socket of this machine, for an agent that is watched. */
import type { Api } from "../../parts/api.ts";

export interface Others extends AsyncDisposable {
  /** What stands under `drivers:` for them. */
  readonly settings: Readonly<Record<string, object>>;
  /** What a person does before the hub has them. */
  pair?(api: Api, clientId: string): Promise<void>;
  /** One device changes by itself, to a value that it did not have. @param round grows */
  change(device: number, round: number): void;
}
