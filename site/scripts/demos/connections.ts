/** Connections and names of the landmarks of faces, hands and bodies. */

/** Points joined by a line, in order. */
export type Path = readonly number[];

/** Lips, eyes, eyebrows and the oval of MediaPipe's face mesh. */
export const FACE_PATHS: readonly Path[] = [
  [61, 146, 91, 181, 84, 17, 314, 405, 321, 375, 291],
  [61, 185, 40, 39, 37, 0, 267, 269, 270, 409, 291],
  [78, 95, 88, 178, 87, 14, 317, 402, 318, 324, 308],
  [78, 191, 80, 81, 82, 13, 312, 311, 310, 415, 308],
  [33, 7, 163, 144, 145, 153, 154, 155, 133],
  [33, 246, 161, 160, 159, 158, 157, 173, 133],
  [46, 53, 52, 65, 55],
  [70, 63, 105, 66, 107],
  [263, 249, 390, 373, 374, 380, 381, 382, 362],
  [263, 466, 388, 387, 386, 385, 384, 398, 362],
  [276, 283, 282, 295, 285],
  [300, 293, 334, 296, 336],
  [
    10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377, 152, 148, 176, 149, 150,
    136, 172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109, 10,
  ],
];

/** Fingers and palm. */
export const HAND_PATHS: readonly Path[] = [
  [0, 1, 2, 3, 4],
  [0, 5, 6, 7, 8],
  [9, 10, 11, 12],
  [13, 14, 15, 16],
  [0, 17, 18, 19, 20],
  [5, 9, 13, 17],
];

/** Face, trunk, arms and legs. */
export const POSE_PATHS: readonly Path[] = [
  [8, 6, 5, 4, 0, 1, 2, 3, 7],
  [9, 10],
  [11, 12, 24, 23, 11],
  [11, 13, 15, 17, 19, 15, 21],
  [12, 14, 16, 18, 20, 16, 22],
  [23, 25, 27, 29, 31, 27],
  [24, 26, 28, 30, 32, 28],
];

/** Named points of the face mesh. Left and right are those of the person. */
export const FACE_NAMES: ReadonlyMap<number, string> = new Map([
  [1, 'Tip of the nose'],
  [33, 'Right eye, outer corner'],
  [133, 'Right eye, inner corner'],
  [362, 'Left eye, inner corner'],
  [263, 'Left eye, outer corner'],
  [61, 'Right corner of the mouth'],
  [291, 'Left corner of the mouth'],
  [10, 'Top of the face'],
  [152, 'Chin'],
]);

/** Named points of a hand. */
export const HAND_NAMES: ReadonlyMap<number, string> = new Map([
  [0, 'Wrist'],
  [4, 'Tip of the thumb'],
  [8, 'Tip of the index finger'],
  [12, 'Tip of the middle finger'],
  [16, 'Tip of the ring finger'],
  [20, 'Tip of the little finger'],
]);

/** Named points of a body. Left and right are those of the person. */
export const POSE_NAMES: ReadonlyMap<number, string> = new Map([
  [0, 'Nose'],
  [11, 'Left shoulder'],
  [12, 'Right shoulder'],
  [13, 'Left elbow'],
  [14, 'Right elbow'],
  [15, 'Left wrist'],
  [16, 'Right wrist'],
  [23, 'Left hip'],
  [24, 'Right hip'],
  [25, 'Left knee'],
  [26, 'Right knee'],
  [27, 'Left ankle'],
  [28, 'Right ankle'],
]);
