/** The sink of an ecosystem: set, read, test and delete. */
import type { Sink, SinkTestResult, SinkUpdate } from "@porchlight/shared/api";
import { type Clock, NamedError } from "@porchlight/shared/kernel";
import { bodyInvalid } from "@porchlight/shared/rest";
import { type Actor, audit, type Caller, type Keyring, type References } from "../access/index.ts";
import { LogReader } from "../events/index.ts";
import type { SinkRow, Store, Transaction } from "../store/index.ts";
import { isSuccess, type Networks, newestSequence, readReceiverUrl } from "../webhooks/index.ts";
import { receiverOf, TOKEN_LOST } from "./deliver.ts";
import type { SinkDispatcher } from "./dispatcher.ts";
import { failureText, type Posts, postOnce } from "./post-lines.ts";
import { changeSink, dropSink, findSink, insertSink, sinkResource, tokenPurpose } from "./sink-rows.ts";

export interface SinksDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly references: References;
  readonly keyring: Keyring;
  readonly networks: Networks;
  readonly posts: Posts;
  readonly dispatcher: Pick<SinkDispatcher, "changed">;
}

/** Maximum characters of an answer that a test shows. */
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
   * Creates or changes it; omitted fields stay. Changes from now on are written; those made while it was disabled are
   * not.
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
        // A new receiver or a new try: earlier results do not apply.
        ...{ proven: 0, failing_since: null, error: null, attempts: 0, retry_at: null },
        ...(isBegun && { position: await newestSequence(tx, eco) }),
      };
      await (before ? changeSink(tx, row) : insertSink(tx, row));
      const { origin } = new URL(row.url);
      await audit(tx, caller, "ecosystem.sink_changed", eco, { origin, enabled: row.enabled === 1 });
      tx.afterCommit(() => dispatcher.changed(eco));
    });
  }

  /** Stops writing; the receiver keeps earlier lines. @throws "Sink Not Found", and those of the reference */
  async delete(caller: Caller, reference: string): Promise<void> {
    const { store, references } = this.#deps;
    const { ecosystemId: eco } = await references.resolve(caller, "eco", reference);
    await store.write(eco, async (tx) => {
      if (!(await dropSink(tx, eco))) throw new NamedError("Sink Not Found");
      await audit(tx, caller, "ecosystem.sink_deleted", eco);
    });
  }

  /** Deletes the sink of an ecosystem, in a job of it. Returns the number of deleted sinks. */
  async deleteAll(tx: Transaction, eco: string, actor: Actor): Promise<number> {
    if (!(await dropSink(tx, eco))) return 0;
    await audit(tx, actor, "ecosystem.sink_deleted", eco);
    return 1;
  }

  /**
   * Tests the receiver with a write without lines, even while the sink is disabled. @throws "Sink Not Found", and those
   * of the reference
   */
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

/** The columns that a user sets. */
type SinkSettings = Pick<SinkRow, "url" | "token" | "measurement_prefix" | "enabled">;

/** The names of nanoseconds in InfluxDB 1, 2 and 3; version 3 detects the precision itself. */
const PRECISIONS: readonly string[] = ["n", "ns", "nanosecond", "auto"];

/** Returns the URL in its normal form. @throws "Body Parameters Invalid" */
function readSinkUrl(text: string, networks: Networks): string {
  const href = readReceiverUrl(text, networks, {
    name: "the URL",
    instead: "Put them into `token`: `Basic ` and base64 of `USER:PASSWORD`.",
    invalid: urlInvalid,
  });
  const { searchParams } = new URL(href);
  if (searchParams.has("p"))
    throw urlInvalid(
      "The URL must not contain a password (`p`), because it is shown again. Put it into `token`: `Basic ` and base64 of `USER:PASSWORD`.",
    );
  for (const precision of searchParams.getAll("precision"))
    if (!PRECISIONS.includes(precision))
      throw urlInvalid("`precision` of the URL must be that of nanoseconds, or be left out: times are in nanoseconds.");
  return href;
}

/**
 * The settings after a change: a pure decision, with all restrictions on URL and token.
 * @param before undefined for an ecosystem without a sink
 * @param url as {@link readSinkUrl} returns it
 * @param seal seals a token
 * @throws "Body Parameters Missing", "Body Parameters Invalid"
 */
function settingsAfter(
  before: SinkSettings | undefined,
  given: Omit<SinkUpdate, "url"> & { readonly url: string | undefined },
  seal: (token: string) => string,
): SinkSettings {
  const url = given.url ?? before?.url;
  if (url === undefined)
    throw new NamedError("Body Parameters Missing", "`url` is missing.", {
      errors: [{ pointer: "/url", message: "is missing" }],
    });
  return {
    url,
    token: tokenAfter(before, url, given.token, seal),
    measurement_prefix: given.measurementPrefix ?? before?.measurement_prefix ?? "",
    enabled: (given.enabled ?? (before?.enabled ?? 1) === 1) ? 1 : 0,
  };
}

/** A stored token is sent only to the receiver that it was entered for: a caller who changes the URL must not receive it. */
function tokenAfter(
  before: SinkSettings | undefined,
  url: string,
  token: SinkUpdate["token"],
  seal: (token: string) => string,
): string | null {
  if (token !== undefined) return token === null ? null : seal(token);
  const stored = before?.token ?? null;
  if (stored !== null && before && new URL(before.url).origin !== new URL(url).origin)
    throw bodyInvalid([
      {
        pointer: "/token",
        message: "must come with a URL of another host: the stored token was given for the former one",
      },
    ]);
  return stored;
}

function urlInvalid(detail: string): NamedError {
  return new NamedError("Body Parameters Invalid", detail, { errors: [{ pointer: "/url", message: detail }] });
}
