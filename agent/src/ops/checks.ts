/** The results of the checks of `doctor`: pure, each with a sentence and, for a problem, its remedy. */
import type { HubCheck } from "@porchlight/shared/model";

export type Check = HubCheck;
export type Verdict = Check["verdict"];

export const ok = (name: string, says: string): Check => ({ name, verdict: "ok", says });
/** The check passed, but needs attention. */
export const warning = (name: string, says: string, cure: string): Check => ({ name, verdict: "warning", says, cure });
export const failed = (name: string, says: string, cure: string): Check => ({ name, verdict: "failed", says, cure });

/** Minimum free space on the disk, bytes. */
const LITTLE_ROOM = 64 * 1024 * 1024;
const MIB = 1024 * 1024;
/** Maximum deviation of a correct clock, ms. */
const RIGHT_MS = 5000;

export function judgeSpace(freeBytes: number | undefined): Check {
  if (freeBytes === undefined)
    return warning("disk", "The system does not report how much space is free.", "Check with `df`.");
  const says = `${Math.floor(freeBytes / MIB)} MiB free.`;
  if (freeBytes >= LITTLE_ROOM) return ok("disk", says);
  return failed("disk", says, "Free some space: while the disk is full, the hub does not accept reports from devices.");
}

/** @param mode as returned by `stat` */
export function judgeMode(name: string, path: string, mode: number): Check {
  if ((mode & 0o077) === 0) return ok(name, `Only its owner can open ${path}.`);
  return failed(name, `Other users of this machine can open ${path}.`, `chmod go= ${path}`);
}

/** @param skewMs how far the system's clock is ahead of the cloud's */
export function judgeSkew(skewMs: number): Check {
  if (Math.abs(skewMs) <= RIGHT_MS) return ok("clock", "The system clock is right.");
  const says = `The system clock is ${Math.round(Math.abs(skewMs) / 1000)} s ${skewMs > 0 ? "ahead" : "behind"}.`;
  return warning("clock", says, "Set the clock, or turn on NTP. Until then the agent uses the cloud's time.");
}

/** @param code the system's error code for a line or an address that could not be opened */
export function judgeLine(path: string, code: string | undefined): Check {
  const name = `serial ${path}`;
  switch (code) {
    case undefined:
      return ok(name, "It can be opened.");
    case "ENOENT":
      return failed(name, "It does not exist.", "Plug in the adapter, or use another path: `ls /dev/serial/by-id`.");
    case "EACCES":
    case "EPERM":
      return failed(
        name,
        "This user has no permission to open it.",
        "Add the user to the group of the serial line: `usermod -aG dialout USER`.",
      );
    default:
      return failed(name, `It cannot be opened (${code}).`, "Unplug the adapter and plug it in again.");
  }
}

/** @param answered the status of `GET /healthz`, or the error code of a failed request */
export function judgeCloud(cloud: string, answered: { readonly status: number } | { readonly code: string }): Check {
  if ("status" in answered) {
    if (answered.status === 200) return ok("cloud", `${cloud} answers.`);
    return failed(
      "cloud",
      `${cloud} answers with status ${answered.status}.`,
      "Check that this is the address of the service.",
    );
  }
  const { code } = answered;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return failed(
      "cloud",
      `The host name of ${cloud} cannot be resolved.`,
      "Check the hub's network and its DNS server.",
    );
  if (code === "ECONNREFUSED" || code === "ENETUNREACH" || code === "EHOSTUNREACH" || code === "ETIMEDOUT")
    return failed(
      "cloud",
      `${cloud} cannot be reached (${code}).`,
      "Check the hub's network, and any firewall between the hub and the cloud.",
    );
  if (/CERT|ISSUER|SIGNED|SSL|TLS|ALTNAME/.test(code))
    return failed(
      "cloud",
      `The TLS certificate of ${cloud} is not trusted (${code}).`,
      "Check the hub's clock, or name the service's CA with --ca.",
    );
  return failed(
    "cloud",
    `${cloud} does not answer (${code}).`,
    "Try again. If it still does not answer, check the network.",
  );
}
