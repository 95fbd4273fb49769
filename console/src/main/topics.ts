/** Help about what holds for all commands: `porchlight help TOPIC`. */
import { exitStatusHelp } from "./help.ts";

const REFERENCES = `How things are named

  env_01h4…                 an ID
  'env_01h4…;lamp'          \`lamp\` in that environment; quote the semicolon, or the shell interprets it
  lamp                      the same in the environment of --environment, PORCHLIGHT_ENVIRONMENT or the profile;
                            without one of these, in the only environment that there is
  'home;lamp'               \`lamp\` in the environment \`home\` of your ecosystem
  'home;kitchen;lamp'       the same in its zone \`kitchen\`

What begins with an ID is sent as it is. With --environment any other begins in that environment; without it, one word begins in the
environment, and two or more begin in the ecosystem. Users, servers and environments begin in the ecosystem.
`;

const SCRIPTING = `In scripts

  Data goes to stdout, everything else to stderr. In a pipe a list is one line an item, with a tab between the fields and no heading.
  --json gives the API's own field names: {"items": […]} of a list, the whole of it; one object a line (NDJSON) of a stream. After an
  error the problem object is on stderr.
  Nothing is asked without a terminal: what destroys needs --yes, and a password comes by --password-stdin.

Variables

  PORCHLIGHT_TOKEN          a token of any kind, in place of the profile's
  PORCHLIGHT_TOKEN_FILE     a file with such a token
  PORCHLIGHT_API_URL        the service's address
  PORCHLIGHT_PROFILE        the profile
  PORCHLIGHT_ENVIRONMENT    where \`lamp\` alone is looked up
  PORCHLIGHT_ECOSYSTEM      for accounts with several
  PORCHLIGHT_SETTINGS       the settings file; otherwise XDG_CONFIG_HOME/porchlight/settings.json, or ~/.porchlight/settings.json
  NO_COLOR, FORCE_COLOR     never colour, always colour

Flags go before variables, variables before the profile.
`;

/** The text about a topic; undefined when there is no such topic. */
export function topicHelp(topic: string, width: number): string | undefined {
  switch (topic) {
    case "references":
      return REFERENCES;
    case "scripting":
      return SCRIPTING;
    case "exit-statuses":
    case "exit-codes":
      return exitStatusHelp(width);
    default:
      return undefined;
  }
}
