/** What went wrong, wherever it did: the error's name, what it means, its request, and a way on. */
import { Alert, Anchor, Button, Group, Text } from "@mantine/core";
import { isPorchlightError, type PorchlightError } from "@porchlight/sdk";
import { Link } from "@tanstack/react-router";
import { Copy } from "./id.tsx";

export interface Told {
  readonly title: string;
  readonly detail: string;
  readonly requestId: string | undefined;
  /** The error's page in the documents. */
  readonly page: string | undefined;
}

/** An error of any kind in the service's words. */
export function told(error: unknown): Told {
  if (isPorchlightError(error)) return ofService(error);
  const detail = error instanceof Error ? error.message : String(error);
  return { title: "This page has an error", detail, requestId: undefined, page: undefined };
}

function ofService({ name, message, requestId, problem }: PorchlightError): Told {
  // It stands in the answer relative to the service.
  const page =
    problem && URL.canParse(problem.type, location.origin)
      ? new URL(problem.type, location.origin).pathname
      : undefined;
  return { title: name, detail: message, requestId, page };
}

export interface FailureProps {
  readonly error: unknown;
  /** Tries again what failed; without it there is no button. */
  readonly retry?: (() => void) | undefined;
  /** Takes the message off the page; without it it stays. */
  readonly putAway?: (() => void) | undefined;
}

export function Failure({ error, retry, putAway }: FailureProps) {
  const { title, detail, requestId, page } = told(error);
  return (
    <Alert
      color="bad"
      variant="light"
      title={title}
      role="alert"
      {...(putAway && { withCloseButton: true, onClose: putAway, closeButtonLabel: "Dismiss" })}
    >
      <Text size="sm">{detail}</Text>
      <Group gap="sm" mt="xs">
        {retry && (
          <Button size="compact-sm" variant="default" onClick={retry}>
            Try again
          </Button>
        )}
        {page && (
          <Anchor size="sm" c="inherit" underline="always" href={page}>
            What this error means
          </Anchor>
        )}
        {requestId && <RequestLink requestId={requestId} />}
      </Group>
    </Alert>
  );
}

/** What a service error says of one field of a form, by its JSON pointer; undefined when it says nothing of it. */
export function fieldError(error: unknown, field: string): string | undefined {
  if (!isPorchlightError(error)) return undefined;
  return error.problem?.errors?.find(({ pointer }) => pointer === `/${field}`)?.message;
}

/** A request's ID, which leads to what the request log has of it. */
export function RequestLink({ requestId }: { readonly requestId: string }) {
  return (
    <Text size="sm" c="dimmed" component="span">
      Request{" "}
      <Anchor
        className="mono"
        size="sm"
        c="inherit"
        underline="always"
        renderRoot={(props) => <Link to="/requests" search={{ request: requestId }} {...props} />}
      >
        {requestId}
      </Anchor>{" "}
      <Copy value={requestId} label="request ID" />
    </Text>
  );
}
