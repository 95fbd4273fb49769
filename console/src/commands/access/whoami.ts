/** `porchlight whoami`: the current token, as the service sees it. */
import type { Action } from "../../session/command.ts";

export const whoami: Action = {
  examples: ["porchlight whoami", "porchlight whoami --json"],
  async run({ output, connection, porchlight }, _args) {
    const token = await porchlight.account.token();
    if (output.isJson) return output.json(token);
    const email = token.accountId && !token.userId ? (await porchlight.account.get()).email : undefined;
    const { apiUrl, profile, tokenFrom } = connection;
    output.record({ ...(email && { email }), apiUrl, profile, tokenFrom, ...token });
  },
};
