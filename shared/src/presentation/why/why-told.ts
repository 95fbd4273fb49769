/** An answer of `why` as far as its sentences need it: declared here, because this module stands below the API's schemas. */
import type { Sender } from "../senders.ts";

export interface WhyFrameTold {
  readonly afterMs: number;
  readonly direction: string;
  readonly bytes: number;
  readonly hex: string;
  readonly says: string;
}

export interface WhyCommandTold {
  readonly id: string;
  readonly value: unknown;
  readonly state: string;
  readonly outcome?: string | undefined;
  readonly createdAt: string;
  readonly by?: Sender | undefined;
  readonly isReport?: true | undefined;
  readonly durationMs?: number | undefined;
  readonly hops?: readonly { readonly hop: string; readonly ms: number }[] | undefined;
  readonly journal?:
    | { readonly isFound: boolean; readonly outcome?: string | undefined; readonly detail?: string | undefined }
    | undefined;
  readonly frames?: readonly WhyFrameTold[] | undefined;
}

export interface WhyTold {
  readonly deviceId: string;
  readonly deviceName?: string | undefined;
  readonly service: string;
  readonly index: string;
  readonly property: string;
  readonly unit?: string | undefined;
  readonly value?: unknown;
  readonly modifiedAt?: string | undefined;
  readonly answeredAt: string;
  readonly cause: {
    readonly kind: string;
    readonly at?: string | undefined;
    readonly previousValue?: unknown;
    readonly commandId?: string | undefined;
    readonly sceneId?: string | undefined;
    readonly sceneName?: string | undefined;
    readonly sceneTrigger?: string | undefined;
    readonly by?: Sender | undefined;
    readonly command?: WhyCommandTold | undefined;
    readonly frames?: readonly WhyFrameTold[] | undefined;
  };
  readonly asked?: WhyCommandTold | undefined;
  readonly obstacles: readonly {
    readonly kind: string;
    readonly since?: string | undefined;
    readonly until?: string | undefined;
    readonly reason?: string | undefined;
    readonly isUnsure?: true | undefined;
    readonly detail?: string | undefined;
    readonly code?: number | undefined;
  }[];
  readonly unknown: readonly { readonly about: string; readonly detail: string }[];
  readonly hub?: { readonly name: string } | undefined;
}
