import { desktop } from './desktop.ts'

/** Whether `openElsewhere` navigates this window: on the desktop the app stays. */
export const leavesThisWindow = desktop === null

/** Opens an external page: in this window, or on the desktop in the system's browser. */
export const openElsewhere = (url: string): void => {
  // The desktop passes every new window to the system's browser.
  if (leavesThisWindow) window.location.assign(url)
  else window.open(url, '_blank', 'noopener')
}
