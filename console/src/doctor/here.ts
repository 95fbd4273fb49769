/** Checks of this machine alone: the settings file and the address in use. */
import { existsSync, statSync } from "node:fs";
import type { Context } from "../session/context.ts";
import { type Finding, ok, warning } from "./finding.ts";

/** A settings file that cannot be read has ended the session before this. */
export function settingsFinding({ settings }: Context): Finding {
  const { path } = settings;
  if (!existsSync(path)) return ok("settings", `${path} does not exist yet.`);
  const mode = (statSync(path).mode & 0o777).toString(8).padStart(4, "0");
  return settings.isOpenToOthers
    ? warning("settings", `Other users can read ${path} (mode ${mode}), and it contains tokens.`, `chmod 600 ${path}`)
    : ok("settings", `${path}, readable only by you (mode ${mode})`);
}

export function addressFinding({ connection }: Context): Finding {
  const { apiUrl, profile } = connection;
  const { protocol, hostname } = new URL(apiUrl);
  const detail = `${apiUrl} (profile ${profile})`;
  return protocol === "https:" || isLoopback(hostname)
    ? ok("address", detail)
    : warning("address", `${detail} is plain http: anyone on the network path can read the token.`, "use https");
}

/** Whether what is sent there stays on this machine. @param host as in a URL */
function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host);
}
