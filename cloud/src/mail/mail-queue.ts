/**
 * Sends the emails of the outbox. An email is claimed, passed to the transport and only then deleted: if the process
 * dies in between, it is sent at least once, under one Message-ID. Several nodes and other programs of the service may
 * share one outbox. An email that cannot be processed is dropped, like one that has expired.
 */
import { type Clock, every, type Log, type Random, Rounds, type Timer } from "@porchlight/shared/kernel";
import type { Keyring } from "../access/index.ts";
import { type EmailRow, type Store, statement } from "../store/index.ts";
import { type EmailMessage, emailPurpose, type Outbox, readMessageText } from "./outbox.ts";
import { findEmailsDue } from "./service-queries.ts";

/** Sends emails. */
export interface MailTransport {
  /**
   * @param signal aborted when the service stops: a slow transport must then settle at once
   * @throws Undeliverable when it will never accept this email, any other error when it may accept it later
   */
  send(message: EmailMessage, signal: AbortSignal): Promise<void>;
  /** Deletes its copies of an account's emails. */
  forget?(accountId: string): Promise<void>;
}

export interface MailQueueDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly keyring: Keyring;
  readonly outbox: Outbox;
  readonly transport: MailTransport;
}

/** Maximum concurrent emails: one slow receiver does not delay all others. */
const AT_ONCE = 4;
/**
 * Length of a claim, ms, after which its holder looks at an email again that it has neither sent nor postponed; longer
 * than any transport takes. Another node takes the email only when the holder is dead, so that clocks do not decide who
 * sends.
 */
const CLAIM = 120_000;
/** Interval of looks without a notification, ms: for retries, and for emails of other programs. */
const LOOK_EVERY = 15_000;

type Claim = { id: string; node: string | null; seen: number; attempts: number; until: number };
const claimEmail = statement<Claim>("claim_letter")((db, p) =>
  db
    .updateTable("letters")
    .set((of) => ({ next_at: p.until, attempts: of("attempts", "+", 1), claimed_by: p.node }))
    .where("id", "=", p.id)
    .where("next_at", "=", p.seen)
    .where("attempts", "=", p.attempts),
);
/** Does nothing if another node has claimed it meanwhile. */
const postponeEmail = statement<{ id: string; attempts: number; at: number }>("postpone_letter")((db, p) =>
  db
    .updateTable("letters")
    .set({ next_at: p.at, claimed_by: null })
    .where("id", "=", p.id)
    .where("attempts", "=", p.attempts),
);
const dropEmail = statement<{ id: string }>("drop_letter")((db, p) => db.deleteFrom("letters").where("id", "=", p.id));
const dropEmailsOf = statement<{ account: string }>("drop_letters_of")((db, p) =>
  db.deleteFrom("letters").where("account_id", "=", p.account),
);

export class MailQueue implements AsyncDisposable {
  readonly #deps: MailQueueDeps;
  readonly #stop = new AbortController();
  #timer: Timer | undefined;
  readonly #working = new Rounds(() => this.#work());
  /** Emails that can be neither processed nor dropped. */
  readonly #stuck = new Set<string>();

  private constructor(deps: MailQueueDeps) {
    this.#deps = deps;
  }

  static start(deps: MailQueueDeps): MailQueue {
    const room = new MailQueue(deps);
    room.#timer = every(deps.clock, "mail", LOOK_EVERY, () => room.#look());
    deps.outbox.onPut(() => room.#look());
    room.#look();
    return room;
  }

  /** Deletes every email of an account, even one that is being sent. */
  async forget(accountId: string): Promise<void> {
    const { store, transport } = this.#deps;
    await store.writeService((tx) => tx.run(dropEmailsOf, { account: accountId }));
    await this.#working.running;
    await transport.forget?.(accountId);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#timer?.cancel();
    this.#stop.abort(new Error("the mail queue closes"));
    await this.#working.end();
  }

  #look(): void {
    void this.#working.ask();
  }

  async #work(): Promise<void> {
    const { store, clock, log } = this.#deps;
    try {
      const found = await findEmailsDue(store, clock.now(), AT_ONCE + this.#stuck.size);
      const due = found.filter(({ id }) => !this.#stuck.has(id)).slice(0, AT_ONCE);
      await Promise.all(due.map((row) => this.#deliverOrDrop(row)));
      if (due.length === AT_ONCE) this.#look();
    } catch (error) {
      log.warn({ error }, "queued emails could not be processed; will retry");
    }
  }

  async #deliverOrDrop(row: EmailRow): Promise<void> {
    const { store, log } = this.#deps;
    const of = { loop: "mail", log, about: ({ id }: EmailRow) => ({ email: id }) } as const;
    await store.setAside.each([row], {
      ...of,
      work: ([email = row]) => this.#deliver(email),
      aside: () =>
        store.setAside.each([row], {
          ...of,
          work: () => this.#drop(row.id),
          aside: async () => void this.#stuck.add(row.id),
        }),
    });
  }

  async #deliver(row: EmailRow): Promise<void> {
    const { store, clock, log } = this.#deps;
    const claim = { id: row.id, node: store.nodeId || null, until: clock.now() + CLAIM };
    const seen = { seen: row.next_at, attempts: row.attempts };
    const claimed = await store.writeService((tx) => tx.run(claimEmail, { ...claim, ...seen }));
    if (claimed === 0) return;
    const failure = await this.#send(row);
    if (failure === undefined) return this.#drop(row.id);
    const attempts = row.attempts + 1;
    if (this.#stop.signal.aborted) return this.#postpone(row.id, attempts, clock.now());
    const next = afterFailure(failure, attempts, clock.now(), row.expires_at, this.#deps.random.fraction());
    const about = { email: row.id, attempts, ...aboutFailure(failure) };
    if (next.kind === "retry") {
      log.warn(about, "an email could not be sent; will retry");
      return this.#postpone(row.id, attempts, next.at);
    }
    log.error({ ...about, why: next.why }, "an email was dropped");
    return this.#drop(row.id);
  }

  /** Returns the failure; undefined when the email is sent or cannot be sent at all. */
  async #send(row: EmailRow): Promise<unknown> {
    const { keyring, transport, clock, log } = this.#deps;
    const opened = keyring.open(emailPurpose(row.id), row.sealed);
    if (opened === undefined) {
      log.error({ email: row.id }, "an email was dropped because its sealing key is no longer available");
      return undefined;
    }
    const message = readMessageText(opened);
    if (!message) return undefined;
    if (row.expires_at <= clock.now()) {
      log.error({ email: row.id, attempts: row.attempts }, "an email was dropped because it is too old");
      return undefined;
    }
    const { id, account_id: accountId, created_at: writtenAt } = row;
    try {
      await transport.send({ ...message, id, accountId, writtenAt }, this.#stop.signal);
      return undefined;
    } catch (error) {
      return error ?? new Error("the transport failed without a word");
    }
  }

  async #drop(id: string): Promise<void> {
    await this.#deps.store.writeService((tx) => tx.run(dropEmail, { id }));
  }

  async #postpone(id: string, attempts: number, at: number): Promise<void> {
    await this.#deps.store.writeService((tx) => tx.run(postponeEmail, { id, attempts, at }));
  }
}

/** The part of a failure that may be logged: the receiver's text often repeats the address. */
function aboutFailure(failure: unknown): Record<string, unknown> {
  if (typeof failure !== "object" || failure === null) return {};
  const picked = ["name", "code", "responseCode", "command"].map((key) => [key, Reflect.get(failure, key)]);
  return Object.fromEntries(
    picked.map(([key, value]) => [key, key === "command" ? String(value).split(" ")[0] : value]),
  );
}

/** Delays after the first failures, ms; the last one repeats. */
const WAITS = [30_000, 120_000, 600_000, 1_800_000, 3_600_000] as const;

/** The transport will never accept this email: the address does not exist. */
export class Undeliverable extends Error {}

type NextSending = { readonly kind: "retry"; readonly at: number } | { readonly kind: "give up"; readonly why: string };

/**
 * Decides between a retry and giving up after a failure: pure.
 * @param attempts attempts so far, at least one
 * @param expiresAt end of the email's usefulness, wall clock, ms
 * @param fraction of [0, 1): randomises a quarter of the delay, so that retries spread
 */
function afterFailure(
  failure: unknown,
  attempts: number,
  now: number,
  expiresAt: number,
  fraction: number,
): NextSending {
  if (failure instanceof Undeliverable) return { kind: "give up", why: "the address was refused for good" };
  const wait = WAITS[Math.min(attempts, WAITS.length) - 1] ?? WAITS[0];
  const at = Math.round(now + wait * (0.875 + fraction / 4));
  return at < expiresAt ? { kind: "retry", at } : { kind: "give up", why: "it could not be handed over in time" };
}
