/** What the worker of the landmarks demo does: MediaPipe's tasks, which other demos do not fetch. */

import { FACE, HAND, POSE } from './vision/landmarks.js';
import { serveTasks } from './vision/serve_tasks.js';
import type { WorkerTask } from './vision/worker_task.js';

serveTasks({ face: FACE as WorkerTask, hand: HAND as WorkerTask, pose: POSE as WorkerTask });
