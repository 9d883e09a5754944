import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useKeepPicture } from './picture-calls.ts'
import { picturePlaces, type PictureFields, type PicturePlace } from './user-fields.ts'

export type PictureIntake = ReturnType<typeof usePictureIntake>

/** Marks the element of a place, so that a file dropped on it goes there. */
export const placeMark = (place: PicturePlace): { readonly 'data-picture-place': PicturePlace } => ({ 'data-picture-place': place })

/** Takes pictures that are chosen, pasted or dropped anywhere on the page while the form is open. Each is stored at once, and its name goes into the form. */
export const usePictureIntake = (draft: PictureFields, onChange: (change: Partial<PictureFields>) => void) => {
  const keepPicture = useKeepPicture()
  const [busy, setBusy] = useState<ReadonlySet<PicturePlace>>(new Set())
  const [failures, setFailures] = useState<Partial<Record<PicturePlace, unknown>>>({})
  const [crowded, setCrowded] = useState(false)
  const [dragging, setDragging] = useState(false)
  // Current between two renderings: two pictures pasted at once get a place each.
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
    // Office programs copy text with a picture of it: a text field takes the text.
    if (files.length === 0 || (isTextField(event.target) && event.clipboardData?.getData('text/plain') !== '')) return
    event.preventDefault()
    take(files, null)
  })
  const dragOver = useEffectEvent((event: DragEvent) => {
    if (!event.dataTransfer?.types.includes('Files')) return
    // Otherwise the browser leaves this page and opens the file.
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
    /** Why a picture was not stored, until the next one. */
    failures,
    /** Whether a picture found both places taken. */
    crowded,
    /** Whether a file is dragged over the page. */
    dragging,
    /** Puts a file into this place, in place of any picture there. */
    put,
    remove: (place: PicturePlace): void => {
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
