/** Checks of this machine alone: the settings file and the address in force. */
import { existsSync, statSync } from "node:fs";
import type { Context } from "../session/context.ts";
import { doubtful, type Finding, good } from "./finding.ts";

/** That it can be read was found out when the session began. */
export function settingsFinding({ settings }: Context): Finding {
  const { path } = settings;
  if (!existsSync(path)) return good("settings", `${path} is not there yet: nothing is kept so far.`);
  const mode = (statSync(path).mode & 0o777).toString(8).padStart(4, "0");
  return settings.isOpenToOthers
    ? doubtful("settings", `${path} may be read by others (mode ${mode}).`, `chmod 600 ${path}`)
    : good("settings", `${path}, yours alone (mode ${mode})`);
}

export function addressFinding({ connection }: Context): Finding {
  const { apiUrl, profile } = connection;
  const { protocol, hostname } = new URL(apiUrl);
  const detail = `${apiUrl} (profile ${profile})`;
  return protocol === "https:" || isLoopback(hostname)
    ? good("address", detail)
    : doubtful("address", `${detail} is plain http: anyone on the network path can read the token.`, "use https");
}

/** Whether what is sent there stays on this machine. @param host as in a URL */
function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host);
}
