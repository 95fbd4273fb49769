/** Which webhooks are this node's to send, as the dispatcher asks for it; and the lone node's answer, which is all of them. */
import type { Sql, Transaction } from "../../store/index.ts";

/** Who sends what is claimed, and is told of it. */
export interface Claimant {
  /** More may be sent: all that is held now must be looked for. */
  gained(): void;
  /** Nothing more of them may begin. Settles when attempts under way have ended and are stored. */
  quiet(isOf: (webhookId: string) => boolean): Promise<void>;
  /** They are another node's, or will be: what is under way is broken off, and nothing of it is stored. */
  lost(isOf: (webhookId: string) => boolean): void;
  /** Another node, or this one, has changed the webhook. */
  wake(ecosystemId: string, webhookId: string): void;
}

export interface Claims extends AsyncDisposable {
  /** Begins to claim for that one. */
  begin(claimant: Claimant): void;
  /** Whether a delivery of the webhook may begin here, now. */
  holds(webhookId: string): boolean;
  /** The name under which what is held now is held. */
  readonly holder: string;
  /** Whether the webhook is still held under that name, by the database. @throws "Service Unavailable" */
  stands(sql: Sql, webhookId: string, holder: string): Promise<boolean>;
  /** In the transaction that changes a webhook: its holder must look. */
  call(tx: Transaction, ecosystemId: string, webhookId: string): Promise<void>;
  /** Gives all back; nothing is under way any more. */
  leave(): Promise<void>;
}

/** Of the only node that there is. */
export const ALL_CLAIMED: Claims = {
  begin: () => undefined,
  holds: () => true,
  holder: "",
  stands: async () => true,
  call: async () => undefined,
  leave: async () => undefined,
  [Symbol.asyncDispose]: async () => undefined,
};
