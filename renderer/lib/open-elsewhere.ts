import { desktop } from './desktop.ts'

/** Whether this window itself goes where `openElsewhere` leads: on the desktop the app stays. */
export const leavesThisWindow = desktop === null

/** Leads to a page of somebody else: this window goes there, or on the desktop the system's browser. */
export const openElsewhere = (url: string): void => {
  // The desktop gives every new window to the system's browser.
  if (leavesThisWindow) window.location.assign(url)
  else window.open(url, '_blank', 'noopener')
}
