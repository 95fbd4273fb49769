/** Checks the connection to the service in steps: its name, its certificate, its answer. Each step depends on the one before. */
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { connect } from "node:tls";
import { type Clock, parseHttpDate } from "@porchlight/shared/kernel";
import type { Context } from "../../session/command.ts";
import { type Finding, failed, ok, warning } from "./doctor-checks.ts";

const DAY = 86_400_000;
/** Remaining lifetime below which a certificate must be renewed, ms. */
const CERTIFICATE_ENDS_SOON = 14 * DAY;
const TLS_PATIENCE = 10_000;
/** Clock difference from which there is a warning, ms; a webhook's signature is valid for five minutes. */
const SKEW = 30_000;
/** The version of the API that this console uses. */
const VERSION = "v0";

/** @param apiUrl of the service */
export async function nameFinding(apiUrl: string): Promise<Finding> {
  const host = new URL(apiUrl).hostname.replace(/^\[|\]$/g, "");
  if (isIP(host)) return ok("name", `${host} is an IP address, so there is no name to resolve`);
  try {
    const found = await lookup(host, { all: true });
    return ok("name", `${host} is ${found.map(({ address }) => address).join(", ")}`);
  } catch (failure) {
    const why = `${host} cannot be resolved (${codeOf(failure)}).`;
    return failed("name", why, "check the address, and that this machine has a network connection");
  }
}

/** Undefined for plain http. */
export async function certificateFinding(apiUrl: string, clock: Clock): Promise<Finding | undefined> {
  const { protocol, hostname, port } = new URL(apiUrl);
  if (protocol !== "https:") return undefined;
  const host = hostname.replace(/^\[|\]$/g, "");
  try {
    const until = await certificateEnd(host, Number(port || 443), clock);
    const left = until === undefined ? undefined : Math.floor((until - clock.now()) / DAY);
    if (until === undefined || left === undefined) return ok("certificate", "trusted");
    if (until - clock.now() > CERTIFICATE_ENDS_SOON) return ok("certificate", `trusted, valid for ${left} more days`);
    return warning("certificate", `It expires in ${left} days.`, "tell the operator of the service");
  } catch (failure) {
    const cure = "if the service uses your own CA, set NODE_EXTRA_CA_CERTS=FILE; otherwise tell its operator";
    return failed("certificate", `It is not trusted, or there is none (${codeOf(failure)}).`, cure);
  }
}

/** Expiry of the certificate, ms since 1970. @throws Error when it is rejected, or there is no answer */
function certificateEnd(host: string, port: number, clock: Clock): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, ...(isIP(host) ? {} : { servername: host }) }, () => {
      resolve(parseHttpDate(socket.getPeerCertificate().valid_to));
      timer.cancel();
      socket.destroy();
    });
    const timer = clock.timer("certificate", TLS_PATIENCE, () => socket.destroy(new Error("no answer")));
    socket.once("error", (failure) => {
      timer.cancel();
      reject(failure);
    });
  });
}

/** Whether the service answers, and the versions and clock in its answer. */
export async function serviceFindings(context: Context): Promise<readonly Finding[]> {
  const { connection, fetch, clock } = context;
  const { apiUrl } = connection;
  const began = clock.monotonic();
  try {
    const answer = await fetch(`${apiUrl}/healthz`, { method: "GET" });
    const took = Math.round(clock.monotonic() - began);
    await answer.body?.cancel();
    if (!answer.ok || !answer.headers.has("x-api-version"))
      return [
        failed(
          "service",
          `Something answered with ${answer.status}, but it is not Porchlight.`,
          "check the address, and any proxy in front of the service",
        ),
      ];
    const ready = await fetch(`${apiUrl}/readyz`, { method: "GET" });
    await ready.body?.cancel();
    const service = ready.ok
      ? ok("service", `answered in ${took} ms, and is ready`)
      : failed("service", `It answers but is not ready (${ready.status}).`, "try again in a minute");
    return [service, versionFinding(answer.headers), clockFinding(answer.headers, clock.now())];
  } catch (failure) {
    context.signal.throwIfAborted();
    const why = `${apiUrl} does not answer (${codeOf(failure)}).`;
    return [failed("service", why, "check that the service is running, and that address and port are right")];
  }
}

function versionFinding(headers: Headers): Finding {
  const version = headers.get("x-api-version") ?? "";
  const sunset = headers.get("sunset");
  if (sunset !== null) return warning("API", `${version}, which ends on ${sunset}.`, "install a newer console");
  return version === VERSION
    ? ok("API", `${version}, which this console uses`)
    : warning("API", `The newest is ${version}; this console uses ${VERSION}.`, "install a newer console");
}

/** Compares the service's clock, to a second. @param now wall clock of this machine, ms */
function clockFinding(headers: Headers, now: number): Finding {
  const there = parseHttpDate(headers.get("date") ?? undefined);
  if (there === undefined)
    return warning("clock", "The service does not send its time.", "check any proxy in front of the service");
  const seconds = Math.round((now - there) / 1000);
  if (Math.abs(now - there) < SKEW) return ok("clock", `within ${Math.max(1, Math.abs(seconds))} s of the service's`);
  const difference = `This machine's clock is ${Math.abs(seconds)} s ${seconds > 0 ? "ahead of" : "behind"} the service's.`;
  return warning("clock", difference, "timedatectl set-ntp true, or set the clock by hand");
}

/** The code of a failure; `fetch` has it in the cause. */
function codeOf(failure: unknown): string {
  const cause = failure instanceof Error && failure.cause instanceof Error ? failure.cause : failure;
  if (cause instanceof Error && "code" in cause && typeof cause.code === "string") return cause.code;
  return cause instanceof Error ? cause.message : String(cause);
}
