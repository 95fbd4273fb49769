/** What the token allows: as whom the service sees this console, and the state of each hub. */
import { isPorchlightError } from "@porchlight/sdk";
import type { Client } from "@porchlight/shared/api";
import { nameOf } from "@porchlight/shared/names";
import { relativeTime } from "../render/time.ts";
import type { Context } from "../session/context.ts";
import { Failure } from "../session/failure.ts";
import { type Finding, failed, ok, warning } from "./finding.ts";

/** A hub whose clock is off by more than this is a warning, ms. */
const SKEW = 30_000;

export async function tokenFinding(context: Context): Promise<Finding> {
  const { connection, output } = context;
  try {
    const { type, expiresAt } = await context.porchlight.account.token();
    const from = connection.tokenFrom === "profile" ? `profile ${connection.profile}` : connection.tokenFrom;
    const ends = expiresAt === undefined ? "does not expire" : `expires ${relativeTime(expiresAt, output.showing.now)}`;
    return ok("token", `type ${type} (${from}), ${ends}`);
  } catch (failure) {
    if (failure instanceof Failure) return failed("token", `${failure.message} ${failure.why}`, failure.remedy);
    if (!isPorchlightError(failure) || failure.status === 0) throw failure;
    const cure =
      connection.tokenFrom === "profile" ? "porchlight login" : `unset ${connection.tokenFrom}, or set another one`;
    return failed("token", `${failure.name}. ${failure.message}`, cure);
  }
}

/** One per hub. @throws PorchlightError */
export async function hubFindings({ porchlight, output, connection }: Context): Promise<readonly Finding[]> {
  try {
    const environmentId = connection.environment?.startsWith("env_") ? connection.environment : undefined;
    const hubs = await porchlight.clients.list({ environmentId }).all();
    if (hubs.length === 0) return [ok("hubs", "There are none yet. To add one: porchlight hubs pair CODE")];
    return hubs.map((hub) => hubFinding(hub, output.showing.now));
  } catch (failure) {
    if (!isPorchlightError(failure) || failure.status === 0 || failure.status >= 500) throw failure;
    return [warning("hubs", `This token cannot list hubs: ${failure.name}.`, "porchlight whoami")];
  }
}

function hubFinding(hub: Client, now: number): Finding {
  const name = `hub ${nameOf(hub)}` as const;
  const { connection } = hub;
  const { state, since, reason, clockSkewMs, roundTripMs } = connection;
  const ago = relativeTime(since, now) ?? since;
  if (state !== "online") {
    const told = `${state}, last change ${ago}${reason === undefined ? "" : ` (${reason})`}`;
    const cure = "check its power and network; then, on the hub: porchlight-agent doctor";
    return state === "offline" ? failed(name, told, cure) : warning(name, told, cure);
  }
  if (clockSkewMs !== undefined && Math.abs(clockSkewMs) > SKEW)
    return warning(name, `online, but its clock is off by ${Math.round(clockSkewMs / 1000)} s`, "set the hub's clock");
  return ok(
    name,
    `online, last change ${ago}${roundTripMs === undefined ? "" : `, ${Math.round(roundTripMs)} ms away`}`,
  );
}
