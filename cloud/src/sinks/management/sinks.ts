/** The sink of an ecosystem: set, shown, tested and deleted. */
import type { Sink, SinkTestResult, SinkUpdate } from "@porchlight/shared/api";
import { type Clock, NamedError } from "@porchlight/shared/kernel";
import { type Actor, audit, type Caller, type Keyring, type References } from "../../access/index.ts";
import { LogReader } from "../../events/index.ts";
import type { SinkRow, Store, Transaction } from "../../store/index.ts";
import { isSuccess, type Networks, newestSequence } from "../../webhooks/index.ts";
import { receiverOf, TOKEN_LOST } from "../delivery/deliver.ts";
import type { SinkDispatcher } from "../delivery/dispatcher.ts";
import { type Posts, postOnce } from "../delivery/post-lines.ts";
import { failureText } from "../delivery/schedule.ts";
import { sinkResource } from "../rows/sink-resource.ts";
import { changeSink, dropSink, findSink, insertSink, tokenPurpose } from "../rows/sink-rows.ts";
import { readSinkUrl, settingsAfter } from "./sink-settings.ts";

export interface SinksDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly references: References;
  readonly keyring: Keyring;
  readonly networks: Networks;
  readonly posts: Posts;
  readonly dispatcher: Pick<SinkDispatcher, "changed">;
}

/** Characters of an answer that a test shows. */
const SHOWN = 512;

export class Sinks {
  readonly #deps: SinksDeps;

  constructor(deps: SinksDeps) {
    this.#deps = deps;
  }

  /** @param reference of the ecosystem @throws "Sink Not Found", and those of the reference */
  async get(caller: Caller, reference: string): Promise<Sink> {
    const { store } = this.#deps;
    const row = await this.#living(caller, reference);
    return sinkResource(row, await new LogReader(store).newest(row.ecosystem_id));
  }

  /**
   * Makes or changes it; what is left out stays. What happens from now on is written; what happened while it was disabled is not.
   * @throws "Body Parameters Missing", "Body Parameters Invalid", and those of the reference
   */
  async set(caller: Caller, reference: string, given: SinkUpdate): Promise<void> {
    const { store, references, keyring, networks, dispatcher } = this.#deps;
    const url = given.url === undefined ? undefined : readSinkUrl(given.url, networks);
    const { ecosystemId: eco } = await references.resolve(caller, "eco", reference);
    await store.write(eco, async (tx) => {
      const before = await findSink(tx, eco);
      const settings = settingsAfter(before, { ...given, url }, (token) => keyring.seal(tokenPurpose(eco), token));
      const isBegun = settings.enabled === 1 && before?.enabled !== 1;
      const row: SinkRow = {
        ...(before ?? (await newSink(tx, eco))),
        ...settings,
        revision: (before?.revision ?? 0) + 1,
        // Another receiver, or another try: what was before says nothing of it.
        ...{ proven: 0, failing_since: null, error: null, attempts: 0, retry_at: null },
        ...(isBegun && { position: await newestSequence(tx, eco) }),
      };
      await (before ? changeSink(tx, row) : insertSink(tx, row));
      const { origin } = new URL(row.url);
      await audit(tx, caller, "ecosystem.sink_changed", eco, { origin, enabled: row.enabled === 1 });
      tx.afterCommit(() => dispatcher.changed(eco));
    });
  }

  /** Nothing more is written; what was written stays with its receiver. @throws "Sink Not Found", and those of the reference */
  async delete(caller: Caller, reference: string): Promise<void> {
    const { store, references } = this.#deps;
    const { ecosystemId: eco } = await references.resolve(caller, "eco", reference);
    await store.write(eco, async (tx) => {
      if (!(await dropSink(tx, eco))) throw new NamedError("Sink Not Found");
      await audit(tx, caller, "ecosystem.sink_deleted", eco);
    });
  }

  /** Deletes that of an ecosystem, in a job of it. Gives how many there were. */
  async deleteAll(tx: Transaction, eco: string, actor: Actor): Promise<number> {
    if (!(await dropSink(tx, eco))) return 0;
    await audit(tx, actor, "ecosystem.sink_deleted", eco);
    return 1;
  }

  /** Asks the receiver with a write that has no lines, also while it is disabled. @throws "Sink Not Found", and those of the reference */
  async test(caller: Caller, reference: string, signal: AbortSignal): Promise<SinkTestResult> {
    const { posts, keyring } = this.#deps;
    const receiver = receiverOf(keyring, await this.#living(caller, reference));
    if (!receiver) return { taken: false, durationMs: 0, error: TOKEN_LOST };
    const { outcome, durationMs, response } = await postOnce(posts, receiver, [], signal);
    const body = response?.body ?? "";
    return {
      taken: isSuccess(outcome),
      ...(outcome.kind === "answered" && { responseStatus: outcome.status }),
      durationMs,
      ...(!isSuccess(outcome) && { error: failureText(outcome, body) }),
      ...(body !== "" && { responseStart: body.slice(0, SHOWN) }),
    };
  }

  async #living(caller: Caller, reference: string): Promise<SinkRow> {
    const { store, references } = this.#deps;
    const { ecosystemId: eco } = await references.resolve(caller, "eco", reference);
    const row = await findSink(store.of(eco).sql, eco);
    if (!row) throw new NamedError("Sink Not Found");
    return row;
  }
}

async function newSink(tx: Transaction, eco: string): Promise<Omit<SinkRow, "url" | "token" | "revision">> {
  return {
    ...{ ecosystem_id: eco, measurement_prefix: "", enabled: 1, created_at: tx.now(), proven: 0 },
    ...{ position: await newestSequence(tx, eco), tried_at: null, status: null, failing_since: null, error: null },
    ...{ attempts: 0, retry_at: null, refused_lines: 0, refused_error: null, lost_events: 0, lost_at: null },
  };
}
