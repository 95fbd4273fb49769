/** What stands where no page is, and where one has failed. */
import { Anchor, Button, Text } from "@mantine/core";
import { type ErrorComponentProps, Link } from "@tanstack/react-router";
import { Failure } from "../kit/failure.tsx";
import { Page } from "../kit/page.tsx";

export function MissingPage() {
  return (
    <Page title="Nothing is at this address">
      <Text>
        Perhaps the link is old, or a letter is missing. Go to the{" "}
        <Anchor renderRoot={(props) => <Link to="/" {...props} />}>first page</Anchor>, or to the{" "}
        <Anchor href="/docs">reference</Anchor> of the API.
      </Text>
    </Page>
  );
}

export function CrashedPage({ error, reset }: ErrorComponentProps) {
  return (
    <Page
      title="This page has failed"
      actions={
        <Button variant="default" onClick={() => location.reload()}>
          Load it again
        </Button>
      }
    >
      <Failure error={error} retry={reset} />
    </Page>
  );
}
