import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useKeepPicture } from './picture-calls.ts'
import { picturePlaces, type PictureFields, type PicturePlace } from './user-fields.ts'

/** Pictures on their way into a form. */
export type PictureIntake = {
  readonly busy: ReadonlySet<PicturePlace>
  /** Why a picture did not get into its place; it stays until the next one. */
  readonly failures: Partial<Record<PicturePlace, unknown>>
  /** True where a picture found both places taken. */
  readonly crowded: boolean
  /** True while a file is dragged over the page. */
  readonly dragging: boolean
  /** Puts a file into this place, replacing what is there. */
  readonly put: (place: PicturePlace, file: File) => void
  readonly remove: (place: PicturePlace) => void
}

/** Marks the element of a place, so that a file dropped on it goes there. */
export const placeMark = (place: PicturePlace): { readonly 'data-picture-place': PicturePlace } => ({ 'data-picture-place': place })

/** Accepts pictures that are chosen, pasted or dropped anywhere on the page while the form is open; each is stored at once, and the form gets its name. */
export const usePictureIntake = (draft: PictureFields, onChange: (change: Partial<PictureFields>) => void): PictureIntake => {
  const keepPicture = useKeepPicture()
  const [busy, setBusy] = useState<ReadonlySet<PicturePlace>>(new Set())
  const [failures, setFailures] = useState<PictureIntake['failures']>({})
  const [crowded, setCrowded] = useState(false)
  const [dragging, setDragging] = useState(false)
  // The truth between two renderings: of two pictures pasted at once each finds its own place.
  const reserved = useRef(new Set<PicturePlace>())

  const put = (place: PicturePlace, file: File): void => {
    reserved.current.add(place)
    setBusy(new Set(reserved.current))
    setCrowded(false)
    setFailures((known) => ({ ...known, [place]: undefined }))
    const free = (): void => {
      reserved.current.delete(place)
      setBusy(new Set(reserved.current))
    }
    keepPicture(file).then(
      (name) => {
        onChange({ [place]: name })
        free()
      },
      (failure: unknown) => {
        setFailures((known) => ({ ...known, [place]: failure }))
        free()
      },
    )
  }

  const take = (files: readonly File[], onto: PicturePlace | null): void => {
    for (const [index, file] of files.entries()) {
      const place = index === 0 && onto !== null && !reserved.current.has(onto) ? onto : picturePlaces.find((one) => draft[one] === '' && !reserved.current.has(one))
      if (place === undefined) return setCrowded(true)
      put(place, file)
    }
  }

  const paste = useEffectEvent((event: ClipboardEvent) => {
    const files = filesIn(event.clipboardData)
    // Office programs put a picture of the text beside the text: where text is typed, text is meant.
    if (files.length === 0 || (isTextField(event.target) && event.clipboardData?.getData('text/plain') !== '')) return
    event.preventDefault()
    take(files, null)
  })
  const dragOver = useEffectEvent((event: DragEvent) => {
    if (!event.dataTransfer?.types.includes('Files')) return
    // Otherwise the browser would replace this page by the dropped file.
    event.preventDefault()
    setDragging(true)
  })
  const dragLeave = useEffectEvent((event: DragEvent) => {
    if (event.relatedTarget === null) setDragging(false)
  })
  const drop = useEffectEvent((event: DragEvent) => {
    setDragging(false)
    const files = filesIn(event.dataTransfer)
    if (files.length === 0) return
    event.preventDefault()
    take(files, placeAt(event.target))
  })
  useEffect(() => {
    const listening = new AbortController()
    const { signal } = listening
    document.addEventListener('paste', paste, { signal })
    document.addEventListener('dragover', dragOver, { signal })
    document.addEventListener('dragleave', dragLeave, { signal })
    document.addEventListener('drop', drop, { signal })
    return () => {
      listening.abort()
    }
  }, [])

  return {
    busy,
    failures,
    crowded,
    dragging,
    put,
    remove: (place) => {
      setCrowded(false)
      setFailures((known) => ({ ...known, [place]: undefined }))
      onChange({ [place]: '' })
    },
  }
}

const filesIn = (data: DataTransfer | null): File[] => [...(data?.files ?? [])]

const isTextField = (target: EventTarget | null): boolean => target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement

const placeAt = (target: EventTarget | null): PicturePlace | null => {
  const marked = target instanceof Element ? target.closest('[data-picture-place]')?.getAttribute('data-picture-place') : null
  return picturePlaces.find((place) => place === marked) ?? null
}
