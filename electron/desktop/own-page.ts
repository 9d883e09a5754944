/** What has to be known of the app's window to tell its page from any other. */
export type OwnPage = { readonly contents: () => unknown; readonly origin: string }

type Sender = { readonly sender: unknown; readonly senderFrame: { readonly origin: string; readonly parent: unknown } | null }

/** Whether a message comes from the app's own page: in its window, in no frame of a page, and of its origin. */
export const isOwnPage = ({ sender, senderFrame }: Sender, { contents, origin }: OwnPage): boolean => {
  const own = contents()
  return own !== null && sender === own && senderFrame !== null && senderFrame.parent === null && senderFrame.origin === origin
}
