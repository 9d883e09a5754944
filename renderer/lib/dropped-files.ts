import { forgetForOthers } from './of-user.ts'
import { create } from 'zustand'

/** Files dropped somewhere in the dashboard that wait for the import page; `dragging` while some are over the page. */
export const useDroppedFiles = create<{ readonly waiting: readonly File[]; readonly dragging: boolean }>(() => ({ waiting: [], dragging: false }))

forgetForOthers(() => { useDroppedFiles.setState({ waiting: [], dragging: false }) })

/** Sets whether files are dragged over the page. */
export const setDragging = (dragging: boolean): void => {
  if (useDroppedFiles.getState().dragging !== dragging) useDroppedFiles.setState({ dragging })
}

/** Leaves files for the import page. */
export const leaveFiles = (files: readonly File[]): void => {
  useDroppedFiles.setState(({ waiting }) => ({ waiting: [...waiting, ...files], dragging: false }))
}

/** Takes the waiting files. */
export const takeFiles = (): readonly File[] => {
  const { waiting } = useDroppedFiles.getState()
  if (waiting.length > 0) useDroppedFiles.setState({ waiting: [] })
  return waiting
}
