/** The first page: how things are, and what can be done next. */
import { Text } from "@mantine/core";
import { Page } from "../../kit/page.tsx";

export function StartPage() {
  return (
    <Page title="Start">
      <Text>Welcome.</Text>
    </Page>
  );
}
