/**
 * Empties the outbox. An email is claimed, handed to the transport and only then forgotten: if a process dies on the way, it still goes out
 * at least once, and under one Message-ID. Several nodes and other programs of the service may share one outbox. An email that cannot be
 * processed is dropped, as one that is too old.
 */
import { type Clock, every, type Log, type Random, Rounds, type Timer } from "@porchlight/shared/kernel";
import type { Keyring } from "../access/index.ts";
import { type EmailRow, type Store, statement } from "../store/index.ts";
import { type EmailMessage, emailPurpose, type Outbox, readMessageText } from "./outbox.ts";
import { findEmailsDue } from "./service-queries.ts";

/** Sends emails. */
export interface MailTransport {
  /**
   * @param signal aborted when the service stops: a transport that may take long is then to settle at once
   * @throws Undeliverable when it will never take this email, anything else when it may later
   */
  send(message: EmailMessage, signal: AbortSignal): Promise<void>;
  /** Destroys what it still has of an account. */
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

/** Emails under way at once: one slow receiver does not keep all others waiting. */
const AT_ONCE = 4;
/**
 * An email that its claimer has neither sent nor put off is looked at again after this long, ms; longer than any transport takes. It
 * is the claimer's own again: another takes it only when that node is no more, so that no clock decides who sends.
 */
const CLAIM = 120_000;
/** How often the outbox is looked at without being told: for retries, and for what other programs put in. */
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
/** Unless another has it by now. */
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

  /** Destroys every email of an account, also one that is just being sent. */
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
    const about = { email: row.id, attempts, ...told(failure) };
    if (next.kind === "retry") {
      log.warn(about, "an email could not be sent; will retry");
      return this.#postpone(row.id, attempts, next.at);
    }
    log.error({ ...about, why: next.why }, "an email was dropped");
    return this.#drop(row.id);
  }

  /** What went wrong; undefined when there is nothing left to do. */
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

/** What may be logged of a failure: a receiver's words often repeat the address. */
function told(failure: unknown): Record<string, unknown> {
  if (typeof failure !== "object" || failure === null) return {};
  const picked = ["name", "code", "responseCode", "command"].map((key) => [key, Reflect.get(failure, key)]);
  return Object.fromEntries(
    picked.map(([key, value]) => [key, key === "command" ? String(value).split(" ")[0] : value]),
  );
}

// When an email that could not be handed over is tried again, and when it is given up: a pure decision.

/** Waits after the first failures, ms; the last one from then on. */
const WAITS = [30_000, 120_000, 600_000, 1_800_000, 3_600_000] as const;

/** A transport's word that it will never take this email: the address does not exist. */
export class Undeliverable extends Error {}

type NextSending = { readonly kind: "retry"; readonly at: number } | { readonly kind: "give up"; readonly why: string };

/**
 * What becomes of an email after a failure.
 * @param attempts how often it has been tried, at least once
 * @param expiresAt when it is not worth sending any more, wall clock, ms
 * @param fraction of [0, 1): a quarter of the wait is left to chance, so that not all come at once
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
