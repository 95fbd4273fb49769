/** How to verify what comes, beside a webhook and after it was made. */
import { Tabs, Text } from "@mantine/core";
import { CodeBlock } from "../../kit/display/id.tsx";
import { Section } from "../../kit/display/page.tsx";
import { VERIFY_BY_HAND, VERIFY_OWN_BY_HAND, VERIFY_WITH_SDK } from "./verify-code.ts";

export function Verify() {
  return (
    <Section
      title="In your receiver"
      lead="Refuse what is not signed with the secret. Answer with any 2xx within 15 seconds, and expect repeats: the same event always has the same webhook-id."
    >
      <Tabs defaultValue="sdk">
        <Tabs.List>
          <Tabs.Tab value="sdk">TypeScript</Tabs.Tab>
          <Tabs.Tab value="hand">openssl</Tabs.Tab>
          <Tabs.Tab value="own">openssl, own secret</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="sdk" pt="sm">
          <CodeBlock code={VERIFY_WITH_SDK} label="the receiver" />
        </Tabs.Panel>
        <Tabs.Panel value="hand" pt="sm">
          <CodeBlock code={VERIFY_BY_HAND} label="the commands" />
        </Tabs.Panel>
        <Tabs.Panel value="own" pt="sm">
          <CodeBlock code={VERIFY_OWN_BY_HAND} label="the commands" />
        </Tabs.Panel>
      </Tabs>
      <Text size="sm" c="dimmed">
        It is signed as Standard Webhooks 1.0 says, so its libraries for other languages verify it too.
      </Text>
    </Section>
  );
}
