/** The options of every command. */
import type { Option } from "./command.ts";

export const GLOBAL_OPTIONS: readonly Option[] = [
  { name: "json", summary: "Prints JSON with the field names of the API; errors too, on stderr" },
  { name: "profile", value: "NAME", summary: "Uses that profile (PORCHLIGHT_PROFILE)" },
  { name: "api-url", value: "URL", summary: "Address of the service (PORCHLIGHT_API_URL)" },
  { name: "no-color", summary: "No colour (NO_COLOR)" },
  { name: "debug", summary: "Prints the requests, without tokens" },
  { name: "version", summary: "Shows the console's version" },
  { name: "help", short: "h", summary: "Shows help" },
];
