/** The alerts API: lists alerts, changes the settings, and sends test alerts. */
import type { AlertSettings, AlertSettingsUpdate, AlertTestAnswer, AlertTestRequest } from "@porchlight/shared/api";
import { type BucketRule, type Clock, type IdMaker, NamedError } from "@porchlight/shared/kernel";
import {
  type AccountCaller,
  audit,
  lockAccount,
  type References,
  type ServerCaller,
  SharedLimit,
  TokenBuckets,
} from "../access/index.ts";
import { event } from "../events/index.ts";
import { ecosystemsToList, ecosystemToMakeIn, mergedPage } from "../places/index.ts";
import type { AlertRow, Store } from "../store/index.ts";
import { changedSettings } from "./alert-settings.ts";
import { type AlertFilter, type AlertPart, listAlerts } from "./alert-store.ts";
import type { AlertOutbox } from "./alert-watch.ts";
import { testEmail } from "./mailing.ts";
import { accountAlerts, alertsOfAccount, storeSettings } from "./service-queries.ts";

export interface AlertsDeps {
  readonly store: Store;
  readonly references: References;
  readonly clock: Clock;
  readonly ids: IdMaker;
  readonly outbox: AlertOutbox;
  readonly serviceUrl: () => string;
  /** Whether tests are rate-limited. */
  readonly limitsTests: boolean;
}

export interface AlertQuery {
  readonly state: AlertFilter["state"];
  readonly environmentId: string | undefined;
  readonly ecosystemId: string | undefined;
}

/** Rate of tests of one account: enough to try alerts out, too few to flood a mailbox. */
const TESTS: BucketRule = { perSecond: 5 / 600, burst: 5 };
const TEST_TEXT = "This is a test alert. Nothing is wrong.";

export class Alerts {
  readonly #deps: AlertsDeps;
  readonly #testsHere: TokenBuckets;
  readonly #testsEverywhere: SharedLimit;

  constructor(deps: AlertsDeps) {
    this.#deps = deps;
    this.#testsHere = new TokenBuckets(TESTS);
    this.#testsEverywhere = new SharedLimit(deps, "alert test", TESTS);
  }

  /** @throws those of the references */
  async list(caller: AccountCaller | ServerCaller, query: AlertQuery, part: AlertPart): Promise<readonly AlertRow[]> {
    const { store, references } = this.#deps;
    const { state } = query;
    const place =
      query.environmentId === undefined ? undefined : await references.resolve(caller, "env", query.environmentId);
    const ecosystems = await ecosystemsToList(references, caller, query.ecosystemId);
    const within = place ? ecosystems.filter((eco) => eco === place.ecosystemId) : ecosystems;
    return mergedPage(
      within,
      part.limit,
      (eco) => listAlerts(store.of(eco).sql, eco, { state, environmentId: place?.id }, part),
      part.order,
    );
  }

  async settings(caller: AccountCaller): Promise<AlertSettings> {
    return (await alertsOfAccount(this.#deps.store, caller.accountId)).settings;
  }

  /** Changes settings; those left out stay. */
  async change(caller: AccountCaller, change: AlertSettingsUpdate): Promise<AlertSettings> {
    const { accountId } = caller;
    return this.#deps.store.writeService(async (tx) => {
      // Of two changes at once the second builds on the first.
      await lockAccount(tx, accountId);
      const settings = changedSettings((await accountAlerts(tx, accountId)).settings, change);
      await storeSettings(tx, accountId, settings);
      await audit(tx, caller, "alerts.updated", accountId);
      return settings;
    });
  }

  /** Sends a test email, and appends an `alert.test`. @throws "Rate Limit Exceeded", "Ecosystem Missing", and those of the reference */
  async test(caller: AccountCaller, given: AlertTestRequest): Promise<AlertTestAnswer> {
    const { store, references, ids, outbox, serviceUrl } = this.#deps;
    const { accountId } = caller;
    const eco = await ecosystemToMakeIn(references, caller, given.ecosystemId);
    await this.#countTest(accountId);
    const eventId = ids.next("evt");
    return store.write(eco, async (tx) => {
      const { settings } = await accountAlerts(tx, accountId);
      tx.append({ ...event("alert.test", undefined, { ecosystemId: eco, text: TEST_TEXT }), id: eventId });
      await audit(tx, caller, "alerts.tested", accountId);
      if (!settings.email) return { eventId, email: "off" };
      const isSent = await outbox.notify(tx, accountId, testEmail(serviceUrl()));
      return { eventId, email: isSent ? "queued" : "not_verified" };
    });
  }

  async #countTest(accountId: string): Promise<void> {
    if (!this.#deps.limitsTests) return;
    const refusal = (retryAfter: number) =>
      new NamedError("Rate Limit Exceeded", "You can send five test alerts in ten minutes.", { retryAfter });
    const taken = this.#testsHere.take(accountId, this.#deps.clock.monotonic());
    if (!taken.admitted) throw refusal(taken.retryAfter);
    await this.#testsEverywhere.take(accountId, refusal);
  }
}
