import { forgetForOthers } from './of-user.ts'
import { create } from 'zustand'

/** Files that were dropped somewhere in the dashboard and wait for the page that imports them; `dragging` while some are over the page. */
export const useDroppedFiles = create<{ readonly waiting: readonly File[]; readonly dragging: boolean }>(() => ({ waiting: [], dragging: false }))

forgetForOthers(() => { useDroppedFiles.setState({ waiting: [], dragging: false }) })

/** Notes whether files are dragged over the page. */
export const setDragging = (dragging: boolean): void => {
  if (useDroppedFiles.getState().dragging !== dragging) useDroppedFiles.setState({ dragging })
}

/** Lets files wait for the page that imports them. */
export const leaveFiles = (files: readonly File[]): void => {
  useDroppedFiles.setState(({ waiting }) => ({ waiting: [...waiting, ...files], dragging: false }))
}

/** Takes the files that wait. */
export const takeFiles = (): readonly File[] => {
  const { waiting } = useDroppedFiles.getState()
  if (waiting.length > 0) useDroppedFiles.setState({ waiting: [] })
  return waiting
}
