/** How to verify what comes, beside a webhook and after it was made. */
import { Tabs, Text } from "@mantine/core";
import { CodeBlock } from "../../kit/display/id.tsx";
import { Section } from "../../kit/display/page.tsx";
import { VERIFY_BY_HAND, VERIFY_OWN_BY_HAND, VERIFY_WITH_SDK } from "./verify-code.ts";

export function Verify() {
  return (
    <Section
      title="Verify deliveries in your receiver"
      lead="Reject requests that are not signed with the secret. Respond with any 2xx status within 15 seconds. Expect repeats: the same event always has the same webhook-id."
    >
      <Tabs defaultValue="sdk">
        <Tabs.List>
          <Tabs.Tab value="sdk">TypeScript</Tabs.Tab>
          <Tabs.Tab value="hand">openssl</Tabs.Tab>
          <Tabs.Tab value="own">openssl, own secret</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="sdk" pt="sm">
          <CodeBlock code={VERIFY_WITH_SDK} label="code" />
        </Tabs.Panel>
        <Tabs.Panel value="hand" pt="sm">
          <CodeBlock code={VERIFY_BY_HAND} label="commands" />
        </Tabs.Panel>
        <Tabs.Panel value="own" pt="sm">
          <CodeBlock code={VERIFY_OWN_BY_HAND} label="commands" />
        </Tabs.Panel>
      </Tabs>
      <Text size="sm" c="dimmed">
        Signatures follow Standard Webhooks 1.0, so its libraries for other languages verify them too.
      </Text>
    </Section>
  );
}
