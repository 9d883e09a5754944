/** Identifies the app's own page: its window's contents and its origin. */
export type OwnPage = { readonly contents: () => unknown; readonly origin: string }

type Sender = { readonly sender: unknown; readonly senderFrame: { readonly origin: string; readonly parent: unknown } | null }

/** Whether a message comes from the top frame of the app's own page, at its origin. */
export const isOwnPage = ({ sender, senderFrame }: Sender, { contents, origin }: OwnPage): boolean => {
  const own = contents()
  return own !== null && sender === own && senderFrame !== null && senderFrame.parent === null && senderFrame.origin === origin
}
