import { Notification } from 'electron'

// One that nothing holds any more is not clicked either.
const shown = new Set<Notification>()
const mostShown = 20

/** Shows a native notification, where the system has any; `onClick` hears of a click on it, also later from the system's list. */
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
