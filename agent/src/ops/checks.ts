/** What `doctor` says of each thing that it has looked at: pure, a sentence and, where something is wrong, its cure. */
import type { HubCheck } from "@porchlight/shared/model";

export type Check = HubCheck;
export type Verdict = Check["verdict"];

export const good = (name: string, says: string): Check => ({ name, verdict: "good", says });
/** It works, and is not as it should be. */
export const doubtful = (name: string, says: string, cure: string): Check => ({
  name,
  verdict: "doubtful",
  says,
  cure,
});
export const bad = (name: string, says: string, cure: string): Check => ({ name, verdict: "bad", says, cure });

/** Free room on the disk below this is worth a word, bytes. */
const LITTLE_ROOM = 64 * 1024 * 1024;
const MIB = 1024 * 1024;
/** A clock is called right within this, ms. */
const RIGHT_MS = 5000;

export function judgeSpace(freeBytes: number | undefined): Check {
  if (freeBytes === undefined)
    return doubtful("disk", "The system does not say how much room is left.", "Look with `df`.");
  const says = `${Math.floor(freeBytes / MIB)} MiB are free.`;
  if (freeBytes >= LITTLE_ROOM) return good("disk", says);
  return bad("disk", says, "Make room: on a full disk reports are held back at the devices.");
}

/** @param mode as `stat` gives it */
export function judgeMode(name: string, path: string, mode: number): Check {
  if ((mode & 0o077) === 0) return good(name, `${path} is there, and its owner's alone.`);
  return bad(name, `Others on this machine may open ${path}.`, `chmod go= ${path}`);
}

/** @param skewMs the system's clock before the cloud's */
export function judgeSkew(skewMs: number): Check {
  if (Math.abs(skewMs) <= RIGHT_MS) return good("clock", "The system's clock is right.");
  const says = `The system's clock is ${Math.round(Math.abs(skewMs) / 1000)} s ${skewMs > 0 ? "ahead" : "behind"}.`;
  return doubtful("clock", says, "Set it, or let NTP do it. The agent tells the cloud's time meanwhile.");
}

/** The reason why a line or an address could not be opened, as the system names it. */
export function judgeLine(path: string, code: string | undefined): Check {
  const name = `serial ${path}`;
  switch (code) {
    case undefined:
      return good(name, "It is there and may be opened.");
    case "ENOENT":
      return bad(name, "It is not there.", "Plug the adapter in, or name another path: `ls /dev/serial/by-id`.");
    case "EACCES":
    case "EPERM":
      return bad(
        name,
        "This user may not open it.",
        "Add the user to the group of the line: `usermod -aG dialout USER`.",
      );
    default:
      return bad(name, `It cannot be opened (${code}).`, "Unplug the adapter and plug it in again.");
  }
}

/** What a service answered to `GET /healthz`, or why it did not. */
export function judgeCloud(cloud: string, answered: { readonly status: number } | { readonly code: string }): Check {
  if ("status" in answered) {
    if (answered.status === 200) return good("cloud", `${cloud} answers.`);
    return bad(
      "cloud",
      `${cloud} answers with status ${answered.status}.`,
      "See that the address is that of the service.",
    );
  }
  const { code } = answered;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return bad("cloud", `The name of ${cloud} is not found.`, "See that the hub has a network and a name server.");
  if (code === "ECONNREFUSED" || code === "ENETUNREACH" || code === "EHOSTUNREACH" || code === "ETIMEDOUT")
    return bad(
      "cloud",
      `${cloud} cannot be reached (${code}).`,
      "See that the hub has a network, and that no firewall stands between.",
    );
  if (/CERT|ISSUER|SIGNED|SSL|TLS|ALTNAME/.test(code))
    return bad(
      "cloud",
      `${cloud} does not prove who it is (${code}).`,
      "Set the hub's clock, or name the service's CA with --ca.",
    );
  return bad("cloud", `${cloud} does not answer (${code}).`, "Try again; if it stays so, look into the network.");
}
