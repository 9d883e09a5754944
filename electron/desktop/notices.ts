import { Notification } from 'electron'

// A notification that is garbage collected loses its click handler.
const shown = new Set<Notification>()
const mostShown = 20

/** Shows a native notification if the system supports them. `onClick` also runs for a later click in the notification center. */
export const showNotice = ({ title, body, onClick }: { readonly title: string; readonly body: string; readonly onClick: () => void }): void => {
  if (!Notification.isSupported()) return
  const notice = new Notification({ title, body })
  shown.add(notice)
  for (const oldest of shown) if (shown.size > mostShown) shown.delete(oldest)
  notice.on('click', () => {
    shown.delete(notice)
    onClick()
  })
  notice.show()
}
